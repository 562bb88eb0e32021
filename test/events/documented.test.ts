// Proves that every field of the vocabulary is documented: TSDoc on each property of each interface.
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { eventKinds } from '../../src/index.ts'

const folder = new URL('../../src/events/', import.meta.url)

interface Field {
  readonly name: string
  /** The constant value of a tag, such as `content-delta`. `undefined` if the field is not a tag. */
  readonly tag: string | undefined
  readonly doc: string
}

const fields = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'))
  .flatMap((file) => fieldsOf(file, readFileSync(new URL(file, folder), 'utf8')))

function fieldsOf(file: string, text: string): Field[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  return source.statements.filter(ts.isInterfaceDeclaration).flatMap((declared) =>
    declared.members
      .filter((member) => ts.isPropertySignature(member) || ts.isMethodSignature(member))
      .map((member) => {
        const { type } = member
        const isTag = type !== undefined && ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)
        return {
          name: `${declared.name.text}.${member.name.getText()}`,
          tag: isTag ? type.literal.text : undefined,
          doc: ts
            .getJSDocCommentsAndTags(member)
            .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
            .join('\n'),
        }
      }),
  )
}

describe('every field', () => {
  it('of every kind is found', () => {
    expect(fields.map(({ tag }) => tag)).toEqual(expect.arrayContaining([...eventKinds]))
  })

  it('has a sentence, unless it is a tag', () => {
    const bare = fields.filter(({ tag, doc }) => tag === undefined && !/^\S.*\./su.test(doc))
    expect(bare.map(({ name }) => name)).toEqual([])
  })
})
