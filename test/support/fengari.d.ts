/** What is used of the package, which has no types. */
declare module 'fengari' {
  type Call = (...args: unknown[]) => never
  type Calls<Names extends string> = Readonly<Record<Names, Call>>
  export const lua: Calls<
    | `lua_${'type' | 'tonumber' | 'tostring' | 'gettop' | 'settop' | 'newtable' | 'pcall'}`
    | `lua_push${'boolean' | 'integer' | 'string' | 'cfunction'}`
    | `lua_${'getglobal' | 'setglobal' | 'setfield' | 'rawgeti' | 'rawseti'}`
    | `LUA_T${'NUMBER' | 'STRING' | 'TABLE' | 'NIL'}`
  >
  export const lauxlib: Calls<'luaL_newstate' | 'luaL_loadstring' | 'luaL_error'>
  export const lualib: Calls<'luaL_openlibs'>
  export function to_luastring(text: string): unknown
  export function to_jsstring(bytes: unknown): string
}
