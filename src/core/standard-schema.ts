/** The part of Standard Schema that the library calls. Zod, Valibot, ArkType and others implement it. */

/**
 * A validator of any library that implements Standard Schema.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
  }
}

/** What a {@link StandardSchema} returns: valid if there are no `issues`. */
export interface StandardResult {
  readonly issues?: readonly StandardIssue[] | undefined
}

/** A fault of a value. */
export interface StandardIssue {
  readonly message: string
  /** Where it is: keys, or objects with a key. Omitted: the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
