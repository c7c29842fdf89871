/** The documentation names only files that exist, and its lines are short enough to read and compare. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "..")

const documents = ["", "docs/", "docs/deploy/", "docs/integrations/", "migrations/", "clients/typescript/"].flatMap(
  (folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}${file}`)
)

interface Line {
  readonly file: string
  readonly number: number
  readonly text: string
}

const lines: ReadonlyArray<Line> = documents.flatMap((file) =>
  readFileSync(join(root, file), "utf8")
    .split("\n")
    .map((text, at) => ({ file, number: at + 1, text }))
)

const at = ({ file, number }: Line, what: string) => `${file}:${number}: ${what}`

const sourceFolders = ["src", "test", "bench", "simulators", "migrations", "clients"]

const sourceNames = new Set(
  sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => basename(entry.name))
  )
)

const roomNames = readdirSync(join(root, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

/** `src/…` or `test/…`, and `domain/…`: a path within a room of `src`. It ends before a placeholder (`<name>`, `…`, `*`). */
const pathPattern = new RegExp(
  `(?<![\\w/.:#~-])(?:${[...sourceFolders, "docs", ...roomNames].join("|")})/(?:[\\w.-]+/?)*(?:[*<…{][^\\s\`|)]*)?`,
  "g"
)

/** Files that a run writes; they are not part of the project. */
const generated = new Set(["bench/results", "web/dist"])

/** Names that look like paths of the room `audio`. */
const mediaType = /^audio\/(aac|amr|basic|mp4|mpeg|ogg|opus|wav|webm|x-mulaw)$/

/** A path that has a placeholder stands for the folder before it; `{a,b}` stands for several paths. */
const meant = (path: string): ReadonlyArray<string> => {
  const braces = /^(.*)\{([^}]*)\}(.*)$/.exec(path)
  if (braces !== null) return braces[2].split(",").flatMap((choice) => meant(`${braces[1]}${choice}${braces[3]}`))
  const placeholder = path.search(/[*<…{]/)
  const whole = placeholder < 0 ? path : path.slice(0, path.lastIndexOf("/", placeholder) + 1)
  return [whole.replace(/[/.]+$/, "")]
}

const exists = (path: string) =>
  [path, `${path}.ts`, `src/${path}`, `src/${path}.ts`].some((candidate) => existsSync(join(root, candidate)))

const linkPattern = /\]\(([^)\s]+)\)/g

/** The anchors that GitHub gives the headings of a page. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const seen = new Map<string, number>()
  const anchors = new Set<string>()
  let inCode = false
  for (const line of readFileSync(page, "utf8").split("\n")) {
    if (line.startsWith("```")) inCode = !inCode
    const heading = inCode ? null : /^#{1,6} (.*)$/.exec(line)
    if (heading === null) continue
    const slug = heading[1]
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/ /g, "-")
    const before = seen.get(slug) ?? 0
    seen.set(slug, before + 1)
    anchors.add(before === 0 ? slug : `${slug}-${before}`)
  }
  return anchors
}

describe("documentation", () => {
  it("names only files and folders that exist, unless it calls them new", () => {
    const wrong = lines.flatMap((line) =>
      [...line.text.matchAll(pathPattern)]
        .filter(([path]) => !mediaType.test(path))
        .flatMap((match) => {
          const isNew = /^`? \(new\)/.test(line.text.slice(match.index + match[0].length))
          return meant(match[0])
            .filter((path) => !generated.has(path) && exists(path) === isNew)
            .map((path) => at(line, isNew ? `${path} exists, so it is not new` : `there is no ${path}`))
        })
    )
    expect(wrong).toEqual([])
  })

  it("names only source files that exist where it gives no folder", () => {
    const wrong = lines.flatMap((line) =>
      [...line.text.matchAll(/`([A-Za-z]\w*\.ts)`/g)]
        .filter(([, name]) => !sourceNames.has(name))
        .map(([, name]) => at(line, `there is no file ${name}`))
    )
    expect(wrong).toEqual([])
  })

  it("links only to pages and headings that exist", () => {
    const wrong = lines.flatMap((line) =>
      [...line.text.matchAll(linkPattern)]
        .map(([, target]) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .flatMap((target) => {
          const [path, anchor] = target.split("#")
          const page = path === "" ? join(root, line.file) : resolve(root, dirname(line.file), path)
          if (!existsSync(page)) return [at(line, `there is no ${target}`)]
          if (anchor === undefined || !statSync(page).isFile()) return []
          return anchorsOf(page).has(anchor) ? [] : [at(line, `there is no heading for ${target}`)]
        })
    )
    expect(wrong).toEqual([])
  })

  it("has no line of more than 400 characters outside tables", () => {
    const wrong = lines.filter(({ text }) => text.length > 400 && !text.startsWith("|"))
    expect(wrong.map((line) => at(line, `${line.text.length} characters`))).toEqual([])
  })

  it("describes the architecture on one page", () => {
    const page = lines.filter(({ file }) => file === "docs/architecture.md")
    const words = page.flatMap(({ text }) => text.split(/\s+/)).filter((word) => /\w/.test(word))
    expect(page.length).toBeLessThanOrEqual(151)
    expect(words.length).toBeLessThanOrEqual(1600)
    expect(
      page.filter(({ text }) => text.length > 160).map((line) => at(line, `${line.text.length} characters`))
    ).toEqual([])
  })
})
