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

/** Where the generated files are, and what the client is called. */
interface Target {
  readonly name: string
  readonly about: string
  /** The module that has a type or a class of the client. */
  readonly moduleOf: (name: string) => string
  /** What the constructor is, when it is not that of `Client`. */
  readonly construction: string
}

const ownModules: Readonly<Record<string, string>> = {
  Client: "../Client.ts",
  EventStream: "../EventStream.ts",
  Listed: "../Pages.ts",
  Operation: "../Operation.ts",
  ReceivedFile: "../Files.ts",
  RequestOptions: "../Options.ts",
  StreamOptions: "../Options.ts"
}

const customers: Target = {
  name: "Parley",
  about:
    "A client of the interface. One for each key is enough: it holds no connection and may be used for any number of requests at once.",
  moduleOf: (name) => ownModules[name],
  construction: ""
}

const operators: Target = {
  name: "OperatorsClient",
  about: "A client of the part of the interface that operators use in the dashboard.",
  moduleOf: () => "@parley/client",
  construction: `  constructor(options: ParleyOptions) {
    super(options, operations)
  }

`
}

const table = (
  groups: ReadonlyArray<ClientGroup>,
  { moduleOf }: Target
): string => `${heading("The method and the path of each operation.")}import type { Operation } from "${moduleOf("Operation")}"

export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
${groups.map(({ name, operations }) => `  ${name}: {\n${operations.map(line).join(",\n")}\n  }`).join(",\n")}
}
`

/** What the declarations of operations name, so that only that is imported. */
const importsOf = (text: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = new Set(text.replace(/\/\*\*[\s\S]*?\*\//g, "").match(/\w+/g))
  return names.filter((name) => words.has(name))
}

const client = (
  groups: ReadonlyArray<ClientGroup>,
  types: ReadonlyArray<string>,
  { name, about, moduleOf, construction }: Target
): string => {
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
/** ${about} */
export class ${name} extends Client {
${construction}${members.join("\n")}}
`
  const own = importsOf(body, [
    "EventStream",
    "Listed",
    "ParleyOptions",
    "ReceivedFile",
    "RequestOptions",
    "StreamOptions"
  ])
  const modules = [...new Set(own.map(moduleOf))].toSorted()
  const imports = modules
    .map((module) => `import type { ${own.filter((one) => moduleOf(one) === module).join(", ")} } from "${module}"\n`)
    .join("")
  const tableImport = construction === "" ? "" : 'import { operations } from "./operations.ts"\n'
  return `${heading("The groups of operations.")}import { Client } from "${moduleOf("Client")}"
${imports}${tableImport}import type {
${importsOf(body, types)
  .map((name) => `  ${name}`)
  .join(",\n")}
} from "./types.ts"

${body}`
}

/** The generated files of the client, by their paths from `clients/typescript/src/generated`. */
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
    "operations.ts": table(groups, customers),
    "Parley.ts": client(groups, types.declared(), customers)
  }
}

/** The generated files of the operators' client, by their paths from `web/src/api/operators`. */
export const operatorFiles = (document: OpenApiDocument): Readonly<Record<string, string>> => {
  const { groups, types } = clientOf(document, new Set())
  return {
    "types.ts": `${heading("The records, bodies and queries that operators use.")}
${types.print()}`,
    "operations.ts": table(groups, operators),
    "OperatorsClient.ts": client(groups, types.declared(), operators)
  }
}
