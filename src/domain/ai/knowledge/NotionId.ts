/** The id in an address of Notion, or an id with or without hyphens; undefined when there is none. */
export const notionId = (text: string): string | undefined => {
  const path = text.split(/[?#]/)[0].replaceAll("-", "")
  const [, hex] = /([0-9a-f]{32})$/i.exec(path) ?? []
  return hex?.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}
