/** An object while it is built: the same fields, to be set. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
