/** A Zapier app: triggers as REST hooks, actions and searches as requests, and hidden triggers that fill drop-downs. */
import type {
  AutomationChoices,
  AutomationDescription,
  AutomationOperation,
  AutomationTrigger
} from "../AutomationDocs.ts"
import type { AutomationField } from "../AutomationFields.ts"
import { type AppFile, type AppFileOptions, jsonFile, keyOf, template } from "./AppFile.ts"

/** The version of Zapier's platform that the app is made for. */
export const zapierPlatform = "19.1.0"

/** Sentences of Zapier's forms have at most so many characters. */
const longest = 1_000

const sentence = (text: string): string => `${text.slice(0, longest - 1).replace(/\.$/, "")}.`

const lowerFirst = (text: string): string => text[0].toLowerCase() + text.slice(1)

const outputFields = (fields: ReadonlyArray<AutomationField>) =>
  fields.map(({ key, label, type, list }) => ({
    ...{ key, label },
    ...(list ? { list: true } : {}),
    ...(type === "json" ? {} : { type: type === "text" ? "string" : type })
  }))

const inputField = ({ key, label, type, list, required, options, choices }: AutomationField) => ({
  ...{ key, label, type: type === "json" ? "text" : type },
  ...(required ? { required: true } : {}),
  ...(list ? { list: true } : {}),
  ...(type === "json" ? { helpText: "JSON." } : {}),
  ...(options === undefined ? {} : { choices: options }),
  ...(choices === undefined ? {} : { dynamic: `${keyOf(choices)}.id.name` })
})

const recordOf = (sample: unknown, items: string | null): unknown =>
  items === null ? sample : ((Reflect.get(Object(sample), items) as ReadonlyArray<unknown>)[0] ?? {})

const operation = ({ key, label, summary, method, path, fixed, fields, items, sample }: AutomationOperation) => ({
  ...{ key: keyOf(key), noun: label.split(" ").at(-1), label, description: sentence(summary) },
  ...{ method, path, fixed, items, sample: recordOf(sample, items) },
  fields: fields.map((field) => ({ key: field.key, path: field.path, in: field.in, type: field.type })),
  inputFields: fields.map(inputField)
})

const trigger = ({ key, label, summary, sample, fields }: AutomationTrigger) => ({
  ...{ key: keyOf(key), event: key, noun: label.split(" ")[0], label },
  ...{ description: sentence(`Triggers when this happens: ${lowerFirst(summary)}`), sample },
  outputFields: outputFields(fields)
})

const choice = ({ key, label, path, query, items, value, text }: AutomationChoices) => ({
  ...{ key: keyOf(key), noun: label, label: `List ${label}` },
  ...{ path, query, items, value, text }
})

/** The files of the app. */
export const zapierApp = (description: AutomationDescription, { baseUrl }: AppFileOptions): ReadonlyArray<AppFile> => {
  const { name, version, triggers, actions, searches, choices, auth } = description
  return [
    jsonFile("package.json", {
      ...{ name: `${name.toLowerCase()}-zapier`, version, private: true, main: "index.js" },
      scripts: { validate: "zapier validate", push: "zapier push" },
      dependencies: { "zapier-platform-core": zapierPlatform },
      devDependencies: { "zapier-platform-cli": zapierPlatform }
    }),
    jsonFile("app.json", {
      auth: { baseUrl, test: auth.test.path },
      triggers: triggers.map(trigger),
      actions: actions.map(operation),
      searches: searches.map(operation),
      choices: choices.map(choice)
    }),
    template("zapier", "index.js"),
    template("zapier", "lib/requests.js"),
    template("zapier", "README.md", { scopes: auth.scopes.map((scope) => `\`${scope}\``).join(", ") })
  ]
}
