/** How much an engine of this process does: lines taken of those there are, and how late its audio is. The engine sets what is read here. */
import { Context } from "effect"

export interface EngineLoadFigures {
  /** The most calls at once. */
  readonly capacity: number
  /** Lines taken, reserved ones included. */
  readonly taken: number
  /** How late outgoing audio was in the last second on average, in milliseconds. */
  readonly lateMs: number
  /** The audio is so late that no new calls are admitted. */
  readonly overloaded: boolean
}

export interface EngineLoad {
  /** Call it when the engine begins. Gives a function to be called when it ends. */
  readonly begin: (read: () => EngineLoadFigures) => () => void
  /** `undefined` in a process without an engine. */
  readonly read: () => EngineLoadFigures | undefined
}

export const makeEngineLoad = (): EngineLoad => {
  const engines = new Set<() => EngineLoadFigures>()
  return {
    begin: (read) => {
      engines.add(read)
      return () => void engines.delete(read)
    },
    read: () => [...engines].at(-1)?.()
  }
}

/** The load of this process, unless another one is provided. */
export const EngineLoad = Context.Reference<EngineLoad>("parley/domain/EngineLoad", { defaultValue: makeEngineLoad })
