/** A package of n8n community nodes: credentials, a node for actions and searches, and a trigger node. */
import type { AutomationDescription } from "../AutomationDocs.ts"
import { type AppFile, type AppFileOptions, jsonFile, template } from "./AppFile.ts"
import { loaderOf, n8nEvents, n8nProperties } from "./N8nProperties.ts"

/** The versions that the package is made and checked with. */
const versions = { "@n8n/node-cli": "0.48.3", eslint: "9.29.0", prettier: "3.6.2", typescript: "5.9.2" }

const isName = /^[A-Za-z_$][\w$]*$/

const quoted = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`

/** A value as TypeScript, indented as n8n's own nodes are. */
const literal = (value: unknown, depth: number): string => {
  const [inner, outer] = ["\t".repeat(depth + 1), "\t".repeat(depth)]
  if (typeof value === "string") return quoted(value)
  if (Array.isArray(value))
    return value.length === 0
      ? "[]"
      : `[\n${value.map((one) => `${inner}${literal(one, depth + 1)},\n`).join("")}${outer}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value)
  const lines = entries.map(
    ([name, one]) => `${inner}${isName.test(name) ? name : quoted(name)}: ${literal(one, depth + 1)},\n`
  )
  return entries.length === 0 ? "{}" : `{\n${lines.join("")}${outer}}`
}

const module = (path: string, name: string, type: string, value: unknown): AppFile => ({
  path,
  text: `import type { ${type.replace("[]", "")} } from 'n8n-workflow';\n\nexport const ${name}: ${type} = ${literal(value, 0)};\n`
})

const codex = (path: string, name: string): AppFile =>
  jsonFile(path, {
    ...{ node: `n8n-nodes-parley.${name}`, nodeVersion: "1.0", codexVersion: "1.0" },
    categories: ["Communication"],
    resources: { primaryDocumentation: [{ url: "https://parley.example/docs" }] }
  })

/** The files of the package. */
export const n8nApp = (
  description: AutomationDescription,
  { baseUrl = "" }: AppFileOptions
): ReadonlyArray<AppFile> => {
  const { version, auth, choices } = description
  const lists = choices.map(({ path, query, items, value, text, ...choice }) => ({
    ...{ loader: loaderOf(choice), path, query, items, value, text }
  }))
  const loaders = lists.map(({ loader }) => `\t\t\t${loader}: loadChoices('${loader}'),`).join("\n")
  return [
    jsonFile("package.json", {
      ...{ name: "n8n-nodes-parley", version, description: "Messages, contacts and calls of Parley in n8n" },
      ...{ license: "MIT", homepage: "https://parley.example", keywords: ["n8n-community-node-package"] },
      author: { name: "Parley", email: "hello@parley.example" },
      repository: { type: "git", url: "https://parley.example/n8n-nodes-parley.git" },
      scripts: { build: "n8n-node build", dev: "n8n-node dev", lint: "n8n-node lint" },
      files: ["dist"],
      n8n: {
        ...{ n8nNodesApiVersion: 1, strict: true },
        credentials: ["dist/credentials/ParleyApi.credentials.js"],
        nodes: ["dist/nodes/Parley/Parley.node.js", "dist/nodes/ParleyTrigger/ParleyTrigger.node.js"]
      },
      devDependencies: versions,
      peerDependencies: { "n8n-workflow": "*" }
    }),
    template("n8n", "tsconfig.json"),
    template("n8n", "eslint.config.mjs"),
    template("n8n", "README.md", { scopes: auth.scopes.map((scope) => `\`${scope}\``).join(", ") }),
    template("n8n", "icons/parley.svg"),
    template("n8n", "icons/parley.dark.svg"),
    template("n8n", "credentials/ParleyApi.credentials.ts", { baseUrl, test: auth.test.path }),
    template("n8n", "nodes/Parley/Parley.node.ts", { loaders }),
    codex("nodes/Parley/Parley.node.json", "parley"),
    module("nodes/Parley/properties.ts", "properties", "INodeProperties[]", n8nProperties(description)),
    template("n8n", "nodes/Parley/choices.ts", { lists: literal(lists, 0) }),
    template("n8n", "nodes/ParleyTrigger/ParleyTrigger.node.ts"),
    codex("nodes/ParleyTrigger/ParleyTrigger.node.json", "parleyTrigger"),
    module("nodes/ParleyTrigger/events.ts", "events", "INodePropertyOptions[]", n8nEvents(description))
  ]
}
