/** The anchors of the headings of a Markdown page, as GitHub makes them. */
export function headingAnchors(page: string): string[] {
  const text = page.replace(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
