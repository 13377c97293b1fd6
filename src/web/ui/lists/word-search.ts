/** @returns whether each word of a search stands in one of some texts, in capital letters or small ones */
export function hasWords(search: string, texts: readonly string[]): boolean {
  const said = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
