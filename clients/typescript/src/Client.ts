/** Makes the methods of a client from the table of operations. */
import { EventReader } from "./EventStream.ts"
import { type Call, Executor } from "./Executor.ts"
import { receivedFile } from "./Files.ts"
import { operations } from "./generated/operations.ts"
import type { Operation } from "./Operation.ts"
import type { ParleyOptions, RequestOptions, StreamOptions } from "./Options.ts"
import { listed, type Page } from "./Pages.ts"

const inPath = (value: unknown, name: string): string => {
  if (typeof value !== "string" || value === "") throw new TypeError(`${name} must be a text that is not empty.`)
  return encodeURIComponent(value)
}

/** The arguments of a method: the parameters of its path, its body, its query, and options; each only if the operation has it. */
const callOf = (name: string, operation: Operation, given: ReadonlyArray<unknown>): Call => {
  const rest = [...given]
  const path = operation.path.replace(/\{(\w+)\}/g, (_, parameter) => inPath(rest.shift(), parameter))
  const body = operation.body === undefined ? undefined : rest.shift()
  const query = operation.takesQuery === true ? (rest.shift() as Call["query"]) : undefined
  const options = (rest.shift() ?? {}) as RequestOptions
  return { name, operation, path, query, body, options }
}

/** The content of an answer in JSON. Nothing for an answer without a body. */
const json = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  return text === "" ? undefined : JSON.parse(text)
}

export abstract class Client {
  readonly #executor: Executor
  readonly #table: typeof operations

  /** `table`: the operations of the interface, by group. */
  constructor(options: ParleyOptions, table = operations) {
    this.#executor = new Executor(options)
    this.#table = table
  }

  /** The methods of a group. `Methods` is generated from the same definitions as the table. */
  protected group<Methods>(group: string): Methods {
    const methods = Object.entries(this.#table[group]).map(([name, operation]) => [
      name,
      (...given: ReadonlyArray<unknown>) => this.#run(callOf(`${group}.${name}`, operation, given))
    ])
    return Object.fromEntries(methods) as Methods
  }

  #run(call: Call): unknown {
    const { send } = this.#executor
    switch (call.operation.answer) {
      case undefined:
        return send(call, json)
      case "text":
        return send(call, (response) => response.text())
      case "file":
        return send(call, async (response) => receivedFile(response))
      case "list":
        return listed(call.query ?? {}, (query) => send({ ...call, query }, json) as Promise<Page<unknown>>)
      case "events":
        return new EventReader(this.#executor, call, call.options as StreamOptions)
    }
  }
}
