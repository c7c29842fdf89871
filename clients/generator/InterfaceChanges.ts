/** Which changes of the interface break a client: operations, their parameters, bodies and answers, and webhooks. */
import {
  type Answer,
  type Content,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  parameterOf
} from "./OpenApiDocument.ts"
import { type BreakingChange, type Direction, schemaChanges } from "./SchemaChanges.ts"

type Contents = Readonly<Record<string, Content>>

const successOf = ({ responses }: Operation): ReadonlyArray<readonly [status: string, answer: Answer]> =>
  Object.entries(responses).filter(([status]) => status.startsWith("2"))

/** The breaking changes from one document to another, each once. */
export const interfaceChanges = (before: OpenApiDocument, after: OpenApiDocument): ReadonlyArray<BreakingChange> => {
  const compare = schemaChanges(before.components.schemas, after.components.schemas)

  const contents = (direction: Direction, old: Contents, now: Contents, place: string) =>
    Object.entries(old).flatMap(([type, { schema = {} }]): ReadonlyArray<BreakingChange> => {
      if (now[type] === undefined) return [{ place, field: "", change: `${type} is not ${direction} any more` }]
      return compare(direction, schema, now[type].schema ?? {}, { place, field: "" })
    })

  const parameters = (old: Operation, now: Operation, place: string): ReadonlyArray<BreakingChange> => {
    const of = (document: OpenApiDocument, operation: Operation) =>
      new Map(
        (operation.parameters ?? []).map((parameter): [string, Parameter] => {
          const described = parameterOf(document, parameter)
          // The place in the path says which one it is, not its name.
          return [`${described.in} ${described.name}`, described]
        })
      )
    const [had, has] = [of(before, old), of(after, now)]
    const kept = [...had].filter(([, { in: where }]) => where !== "path")
    return [
      ...kept.flatMap(([key, { name: field, required, schema = {} }]): ReadonlyArray<BreakingChange> => {
        const parameter = has.get(key)
        if (parameter === undefined) return [{ place, field, change: "is not taken any more" }]
        const isNew = required !== true && parameter.required === true
        return [
          ...(isNew ? [{ place, field, change: "is required now" }] : []),
          ...compare("taken", schema, parameter.schema ?? {}, { place, field })
        ]
      }),
      ...[...has]
        .filter(([key, { required, in: where }]) => where !== "path" && required === true && !had.has(key))
        .map(([, { name: field }]) => ({ place, field, change: "is required now" }))
    ]
  }

  const bodies = ({ requestBody: old }: Operation, { requestBody: now }: Operation, place: string) => {
    if (now === undefined) return old === undefined ? [] : [{ place, field: "", change: "takes no body any more" }]
    const isNew = now.required === true && old?.required !== true
    return [
      ...(isNew ? [{ place, field: "", change: "needs a body now" }] : []),
      ...(old === undefined ? [] : contents("taken", old.content, now.content, place))
    ]
  }

  const answers = (old: Operation, now: Operation, place: string) =>
    successOf(old).flatMap(([status, { content = {} }]): ReadonlyArray<BreakingChange> => {
      const answer = now.responses[status]
      if (answer === undefined) return [{ place, field: "", change: `is not answered with ${status} any more` }]
      return contents("given", content, answer.content ?? {}, place)
    })

  const rules = (old: Operation, now: Operation, place: string): ReadonlyArray<BreakingChange> => {
    const schemes = ({ security = [] }: Operation) => security.flatMap((one) => Object.keys(one))
    const [had, has] = [schemes(old), schemes(now)]
    const lost = had.filter((scheme) => !has.includes(scheme))
    const [bytes, nowBytes] = [old["x-max-body-bytes"], now["x-max-body-bytes"]]
    return [
      ...lost.map((scheme) => ({ place, field: "", change: `${scheme} is not taken any more` })),
      ...(had.length === 0 && has.length > 0 ? [{ place, field: "", change: `needs ${has.join(" or ")} now` }] : []),
      ...(bytes !== undefined && nowBytes !== undefined && nowBytes < bytes
        ? [{ place, field: "", change: `takes ${nowBytes} bytes instead of ${bytes}` }]
        : []),
      ...(old.operationId === now.operationId
        ? []
        : [{ place, field: "", change: `is ${now.operationId} in the client instead of ${old.operationId}` }])
    ]
  }

  const found = [
    ...operationsOf(before).flatMap(({ method, path, operation }): ReadonlyArray<BreakingChange> => {
      const place = `${method} ${path}`
      const now = sameOperation(after, method, path)
      if (now === undefined) return [{ place, field: "", change: "is removed" }]
      return [
        ...rules(operation, now, place),
        ...parameters(operation, now, place),
        ...bodies(operation, now, place),
        ...answers(operation, now, place)
      ]
    }),
    ...Object.entries(before.webhooks ?? {}).flatMap(([type, item]): ReadonlyArray<BreakingChange> => {
      const place = `webhook ${type}`
      const [old, now] = [item.post, after.webhooks?.[type]?.post]
      if (now === undefined) return [{ place, field: "", change: "is removed" }]
      return contents("given", old.requestBody?.content ?? {}, now.requestBody?.content ?? {}, place)
    })
  ]
  return [...new Map(found.map((change) => [JSON.stringify(change), change])).values()]
}

const withoutNames = (path: string): string => path.replace(/\{\w+\}/g, "{}")

/** The operation at the same address, whatever the parameters of its path are called. */
const sameOperation = (document: OpenApiDocument, method: string, path: string): Operation | undefined =>
  operationsOf(document).find((other) => other.method === method && withoutNames(other.path) === withoutNames(path))
    ?.operation
