/** Reads names and descriptions of types from their declarations, the only source of documentation. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The documentation of a type. */
export interface TypeDoc {
  /** `undefined` for a type without a name, such as `string[]`. */
  readonly name: string | undefined
  readonly description: string | undefined
  /** Whether the type allows keys that it does not declare. */
  readonly isBag: boolean
  /** The string literals of a union. */
  readonly literals: readonly string[]
  /** One field of an object. */
  field(key: string): FieldDoc | undefined
  /** The items of an array. */
  item(): TypeDoc | undefined
  /** The values of a record. */
  value(): TypeDoc | undefined
  /** The member of a union whose field `tag` is `value`. */
  variant(tag: string, value: string): TypeDoc | undefined
}

export interface FieldDoc {
  readonly description: string | undefined
  readonly type: TypeDoc
}

/** Reads types of the given files, named `file#Type`. Paths are relative to the package. */
export function readTypes(types: readonly { file: string; name: string }[]): TypeDoc[] {
  const program = ts.createProgram({
    rootNames: types.map(({ file }) => ROOT + file),
    options: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      strict: true,
      types: [],
    },
  })
  const checker = program.getTypeChecker()
  return types.map(({ file, name }) => {
    const source = program.getSourceFile(ROOT + file)
    const module = source && checker.getSymbolAtLocation(source)
    const symbol = module && checker.getExportsOfModule(module).find((each) => each.name === name)
    if (symbol === undefined) throw new Error(`${file} exports no type ${name}.`)
    const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return new CheckedType(checker, checker.getDeclaredTypeOfSymbol(declared))
  })
}

class CheckedType implements TypeDoc {
  readonly #checker: ts.TypeChecker
  readonly #type: ts.Type

  /** For an intersection: the field whose declaring member lends its name. */
  readonly #tag: string | undefined

  constructor(checker: ts.TypeChecker, type: ts.Type, tag?: string) {
    this.#checker = checker
    this.#type = type
    this.#tag = tag
  }

  get name(): string | undefined {
    return this.#symbol()?.name
  }

  get description(): string | undefined {
    return describe(this.#symbol()?.declarations)
  }

  get isBag(): boolean {
    const isObject = (this.#type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
    return isObject && this.#checker.getIndexInfoOfType(this.#type, ts.IndexKind.String) !== undefined
  }

  get literals(): readonly string[] {
    return membersOf(this.#type).flatMap((type) => (type.isStringLiteral() ? [type.value] : []))
  }

  field(key: string): FieldDoc | undefined {
    const symbol = this.#checker.getPropertyOfType(this.#type, key)
    if (symbol === undefined) return undefined
    const [declaration] = symbol.declarations ?? []
    // The written type keeps the name of an alias, which the computed type of an optional field loses.
    const written =
      declaration !== undefined && ts.isPropertySignature(declaration) ? declaration.type : undefined
    const type =
      written === undefined
        ? this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(symbol))
        : this.#withoutNull(this.#checker.getTypeFromTypeNode(written))
    const description = describe(symbol.declarations) ?? this.#inherited(key)
    return { description, type: new CheckedType(this.#checker, type) }
  }

  /** The description of a field in a base interface, if it is redeclared without a comment. */
  #inherited(key: string): string | undefined {
    for (const base of this.#type.isClassOrInterface() ? this.#checker.getBaseTypes(this.#type) : []) {
      const found = new CheckedType(this.#checker, base).field(key)?.description
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Removes null only if present, because removal loses the name of an alias. */
  #withoutNull(type: ts.Type): ts.Type {
    const hasNull = membersOf(type).some((member) => (member.flags & ts.TypeFlags.Null) !== 0)
    return hasNull ? this.#checker.getNonNullableType(type) : type
  }

  item(): TypeDoc | undefined {
    return this.#of(this.#checker.getIndexTypeOfType(this.#type, ts.IndexKind.Number))
  }

  value(): TypeDoc | undefined {
    return this.#of(this.#checker.getIndexTypeOfType(this.#type, ts.IndexKind.String))
  }

  variant(tag: string, value: string): TypeDoc | undefined {
    const member = membersOf(this.#type).find((type) => {
      const symbol = this.#checker.getPropertyOfType(type, tag)
      if (symbol === undefined) return false
      return membersOf(this.#checker.getTypeOfSymbol(symbol)).some(
        (literal) => literal.isStringLiteral() && literal.value === value,
      )
    })
    return member === undefined ? undefined : new CheckedType(this.#checker, member, tag)
  }

  #of(type: ts.Type | undefined): TypeDoc | undefined {
    return type === undefined ? undefined : new CheckedType(this.#checker, type)
  }

  /** The symbol that names the type. */
  #symbol(): ts.Symbol | undefined {
    const [whole, tag] = [this.#type, this.#tag]
    const members = whole.isIntersection() && tag !== undefined ? whole.types : []
    const tagged = members.filter((type) => this.#checker.getPropertyOfType(type, tag ?? '') !== undefined)
    for (const type of [whole, ...tagged]) {
      // An alias with type arguments, such as `Record<string, unknown>`, names a family of types.
      if (type.aliasSymbol !== undefined && type.aliasTypeArguments === undefined) return type.aliasSymbol
      const { symbol } = type
      if (symbol !== undefined && symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) {
        if (!BUILT_IN.has(symbol.name)) return symbol
      }
    }
    return undefined
  }
}

const BUILT_IN = new Set(['Array', 'ReadonlyArray'])

function membersOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type]
}

/** The comment of the first declaration that has one, as plain text with Markdown. */
function describe(declarations: readonly ts.Declaration[] | undefined): string | undefined {
  for (const declaration of declarations ?? []) {
    for (const comment of ts.getJSDocCommentsAndTags(declaration)) {
      if (!ts.isJSDoc(comment)) continue
      const text = ts.getTextOfJSDocComment(comment.comment)
      if (text) return unwrap(text)
    }
  }
  return undefined
}

/** Puts each paragraph and list item on one line, and converts links to code. */
function unwrap(comment: string): string {
  return comment
    .replace(/\{@link\s+([^}\s|]+)[^}]*\}/g, '`$1`')
    .split(/\n(?=\s*\n|\s*- )/)
    .map((part) => part.trim().replace(/\s*\n\s*/g, ' '))
    .filter((part) => part !== '')
    .reduce(
      (text, part, i) => (i === 0 ? part : `${text}${part.startsWith('- ') ? '\n' : '\n\n'}${part}`),
      '',
    )
}
