/** `npm run dev`: the service of `parley demo --dashboard` with its simulators, and the pages by Vite with hot reload in front of it. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { createServer } from "vite"

const root = join(import.meta.dirname, "..")
const service = spawn(process.execPath, [join(root, "src/main.ts"), "demo", "--dashboard"], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"]
})
process.on("SIGINT", () => service.kill("SIGINT"))
process.on("SIGTERM", () => service.kill("SIGTERM"))
service.on("exit", (code) => process.exit(code ?? 1))

for await (const line of createInterface({ input: service.stdout })) {
  console.log(line)
  const [, address] = /^The dashboard: (\S+)$/.exec(line) ?? []
  if (address === undefined) continue
  process.env.PARLEY_URL = address
  const vite = await createServer({ configFile: join(import.meta.dirname, "vite.config.ts") })
  await vite.listen()
  console.log("With hot reload:")
  vite.printUrls()
}
