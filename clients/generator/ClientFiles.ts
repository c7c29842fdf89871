/** The text of the generated files of `clients/typescript`. */
import { type ClientGroup, type ClientOperation, clientOf } from "./ClientGroups.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import { docComment, pascal } from "./Words.ts"

const heading = (what: string) =>
  `/** ${what} Generated from the service's definitions by \`npm run client\`: do not edit. */\n`

const interfaceOf = (name: string): string => `${pascal(name)}Operations`

const line = (operation: ClientOperation): string => {
  const { name, method, path, body, takesQuery, takesKey, repeatable, answer } = operation
  const parts = [
    `method: "${method}"`,
    `path: "${path}"`,
    ...(body === undefined ? [] : [`body: "${body}"`]),
    ...(takesQuery ? ["takesQuery: true"] : []),
    ...(takesKey ? ["takesKey: true"] : []),
    ...(repeatable ? ["repeatable: true"] : []),
    ...(answer === "json" ? [] : [`answer: "${answer}"`])
  ]
  return `    ${name}: { ${parts.join(", ")} }`
}

const table = (
  groups: ReadonlyArray<ClientGroup>
): string => `${heading("The method and the path of each operation.")}import type { Operation } from "../Operation.ts"

export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
${groups.map(({ name, operations }) => `  ${name}: {\n${operations.map(line).join(",\n")}\n  }`).join(",\n")}
}
`

/** What the declarations of operations name, so that only that is imported. */
const importsOf = (text: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = new Set(text.replace(/\/\*\*[\s\S]*?\*\//g, "").match(/\w+/g))
  return names.filter((name) => words.has(name))
}

const client = (groups: ReadonlyArray<ClientGroup>, types: ReadonlyArray<string>): string => {
  const interfaces = groups
    .map(
      ({ name, description, operations }) =>
        `${docComment(description, "")}export interface ${interfaceOf(name)} {\n${operations.map(({ declaration }) => declaration).join("\n")}}\n`
    )
    .join("\n")
  const members = groups.map(
    ({ name, description }) =>
      `${docComment(description, "  ")}  readonly ${name}: ${interfaceOf(name)} = this.group<${interfaceOf(name)}>("${name}")\n`
  )
  const body = `${interfaces}
/** A client of the interface. One for each key is enough: it holds no connection and may be used for any number of requests at once. */
export class Parley extends Client {
${members.join("\n")}}
`
  const own = importsOf(body, ["EventStream", "Listed", "ReceivedFile", "RequestOptions", "StreamOptions"])
  const from: Readonly<Record<string, string>> = {
    EventStream: "../EventStream.ts",
    Listed: "../Pages.ts",
    ReceivedFile: "../Files.ts",
    RequestOptions: "../Options.ts",
    StreamOptions: "../Options.ts"
  }
  const modules = [...new Set(own.map((name) => from[name]))].toSorted()
  const imports = modules
    .map((module) => `import type { ${own.filter((name) => from[name] === module).join(", ")} } from "${module}"\n`)
    .join("")
  return `${heading("The groups of operations.")}import { Client } from "../Client.ts"
${imports}import type {
${importsOf(body, types)
  .map((name) => `  ${name}`)
  .join(",\n")}
} from "./types.ts"

${body}`
}

/** The generated files, by their paths from `clients/typescript/src/generated`. */
export const clientFiles = (document: OpenApiDocument): Readonly<Record<string, string>> => {
  const { groups, webhooks, types } = clientOf(document)
  const printed = types.print()
  const fileInput = /\bFileInput\b/.test(printed) ? 'import type { FileInput } from "../Files.ts"\n' : ""
  return {
    "types.ts": `${heading("The records, bodies and queries of the interface.")}${fileInput}
${printed}
/** What a webhook brings. */
export type WebhookBody =
${webhooks.map((name) => `  | ${name}`).join("\n")}
`,
    "operations.ts": table(groups),
    "Parley.ts": client(groups, types.declared())
  }
}
