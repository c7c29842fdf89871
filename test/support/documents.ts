/** Small documents of each format, made here so that it is known what is in them. */
import { buffer } from "node:stream/consumers"
import { ZipFile } from "yazl"

const zipped = (entries: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const paragraph = (text: string, style?: string) =>
  `<w:p>${style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`

/** A DOCX; a line that begins with `# ` is a heading. */
export const docx = (lines: ReadonlyArray<string>, extra: Readonly<Record<string, Buffer>> = {}): Promise<Buffer> =>
  zipped({
    "[Content_Types].xml":
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels":
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${lines
      .map((line) => (line.startsWith("# ") ? paragraph(line.slice(2), "Heading1") : paragraph(line)))
      .join("")}</w:body></w:document>`,
    ...extra
  })

/** A PDF of these pages; a line that begins with `# ` is large. With `encrypted` it asks for a password. */
export const pdf = (pages: ReadonlyArray<ReadonlyArray<string>>, encrypted = false): Buffer => {
  const objects: Array<string> = []
  const add = (content: string) => objects.push(content)
  add("<< /Type /Catalog /Pages 2 0 R >>")
  add(`<< /Type /Pages /Kids [${pages.map((_, at) => `${4 + 2 * at} 0 R`).join(" ")}] /Count ${pages.length} >>`)
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
  for (const [at, lines] of pages.entries()) {
    const drawn = lines.map((line, row) => {
      const isHeading = line.startsWith("# ")
      const text = (isHeading ? line.slice(2) : line).replace(/[\\()]/g, "\\$&")
      return `BT /F1 ${isHeading ? 18 : 11} Tf 50 ${780 - 14 * row} Td (${text}) Tj ET`
    })
    const stream = drawn.join("\n")
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R >>`
    )
    add(`<< /Length ${Buffer.byteLength(stream, "latin1")} >>\nstream\n${stream}\nendstream`)
  }
  const encrypt = encrypted
    ? ` /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> >> /ID [<${"43".repeat(16)}> <${"43".repeat(16)}>]`
    : ""
  let file = "%PDF-1.4\n"
  const places = objects.map((content, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${content}\nendobj\n`
    return place
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${encrypt} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, "latin1")
}
