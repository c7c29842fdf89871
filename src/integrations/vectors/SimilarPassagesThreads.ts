/**
 * Finds passages by their vectors. Vectors are read from the database when an organization asks first, and compared in threads. While they are read,
 * while the provider of embeddings does not answer, or when an organization has more than fit into memory, what is missing is found by its words.
 */
import { Effect, Layer, Semaphore } from "effect"
import { leastScore } from "../../domain/ai/knowledge/KnowledgeTool.ts"
import { PassageVectors, type VectorSource } from "../../domain/ai/knowledge/PassageVectors.ts"
import { SimilarPassages } from "../../domain/ai/knowledge/SimilarPassages.ts"
import { Embeddings } from "../../domain/ai/providers/Embeddings.ts"
import { traced } from "../../domain/basics/Traced.ts"
import type { VectorBlock } from "./NearestVectors.ts"
import { makeVectorThreads } from "./VectorThreads.ts"

export interface SimilarPassagesOptions {
  /** Vectors that are held in memory at most; 256 MB by default. The organizations that asked longest ago are given up first. */
  readonly mostBytes?: number
  /** The cosine from which on a passage may answer. It depends on the model. */
  readonly leastCosine: number
}

/** Vectors read from the database at once: their decoding holds up the process. */
const readAtOnce = 200

interface Held {
  readonly version: number
  readonly bytes: number
}

interface Holding {
  readonly sources: Map<string, Held>
  loading: boolean
}

/** A cosine on the scale of scores, where `leastScore` may answer. */
export const scoreOf = (cosine: number, leastCosine: number): number =>
  cosine < leastCosine
    ? Math.max(0, (cosine / leastCosine) * leastScore)
    : leastScore + ((1 - leastScore) * (Math.min(1, cosine) - leastCosine)) / (1 - leastCosine)

const make = Effect.fnUntraced(function* ({ mostBytes = 256 * 1_024 * 1_024, leastCosine }: SimilarPassagesOptions) {
  const { model, embed } = yield* Embeddings
  const stored = yield* PassageVectors
  const scope = yield* Effect.scope
  /** By organization, the one that asked longest ago first. */
  const holdings = new Map<string, Holding>()
  const threads = yield* makeVectorThreads((isLost) => {
    for (const organizationId of [...holdings.keys()]) if (isLost(organizationId)) holdings.delete(organizationId)
  })
  // One source at a time, so that the bound of memory holds.
  const reading = yield* Semaphore.make(1)

  const holdingOf = (organizationId: string): Holding => {
    const holding = holdings.get(organizationId) ?? { sources: new Map(), loading: false }
    holdings.delete(organizationId)
    holdings.set(organizationId, holding)
    return holding
  }

  const heldBytes = () =>
    [...holdings.values()].reduce(
      (sum, { sources }) => [...sources.values()].reduce((total, { bytes }) => total + bytes, sum),
      0
    )

  /** Gives other organizations up until there is room. False when this one alone has too many. */
  const makeRoom = (organizationId: string, bytes: number): boolean => {
    for (const other of [...holdings.keys()]) {
      if (heldBytes() + bytes <= mostBytes) return true
      if (other === organizationId) continue
      threads.drop(other)
      holdings.delete(other)
    }
    return heldBytes() + bytes <= mostBytes
  }

  const readBlock = Effect.fnUntraced(function* (organizationId: string, { id, passages }: VectorSource) {
    const numbers = new Int32Array(passages)
    let values = new Float32Array(0)
    let count = 0
    for (let from = 0; ; ) {
      const rows = yield* stored.read(organizationId, id, from, readAtOnce)
      for (const { number, vector } of rows) {
        // A refused text has none. Another length is of another version of the source, which is read again.
        const dimensions = vector.byteLength / 4
        if (dimensions === 0) continue
        if (values.length === 0) values = new Float32Array(passages * dimensions)
        if (count >= passages || (count + 1) * dimensions > values.length) break
        const aligned = vector.slice()
        values.set(new Float32Array(aligned.buffer, aligned.byteOffset, dimensions), count * dimensions)
        numbers[count++] = number
      }
      if (rows.length < readAtOnce) break
      from = rows[rows.length - 1].number + 1
    }
    const dimensions = values.length / passages
    return { numbers: numbers.slice(0, count), values: values.slice(0, count * dimensions) } satisfies VectorBlock
  })

  const load = Effect.fnUntraced(function* (organizationId: string, holding: Holding) {
    const sources = yield* stored.sources(organizationId, model, undefined)
    for (const id of [...holding.sources.keys()])
      if (!sources.some((source) => source.id === id)) {
        threads.drop(organizationId, id)
        holding.sources.delete(id)
      }
    for (const source of sources) {
      if (holding.sources.get(source.id)?.version === source.version) continue
      if (holdings.get(organizationId) !== holding) return
      const block = yield* readBlock(organizationId, source)
      const bytes = block.values.byteLength + block.numbers.byteLength
      holding.sources.delete(source.id)
      if (!makeRoom(organizationId, bytes)) {
        threads.drop(organizationId, source.id)
        return yield* Effect.logWarning("an organization has more vectors than fit into memory", { organizationId })
      }
      threads.hold(organizationId, source.id, block)
      holding.sources.set(source.id, { version: source.version, bytes })
    }
  })

  /** Reads what is missing, in the background. */
  const startLoading = (organizationId: string, holding: Holding) => {
    if (holding.loading) return Effect.void
    holding.loading = true
    return reading
      .withPermits(1)(load(organizationId, holding))
      .pipe(
        Effect.catchCause((cause) => Effect.logWarning("vectors could not be read", { organizationId }, cause)),
        Effect.ensuring(
          Effect.sync(() => {
            holding.loading = false
          })
        ),
        (work) => Effect.forkIn(work, scope)
      )
  }

  const among = Effect.fnUntraced(function* (
    organizationId: string,
    sources: ReadonlyArray<VectorSource>,
    question: Float32Array,
    most: number
  ) {
    const holding = holdingOf(organizationId)
    const isHeld = ({ id, version }: VectorSource) => holding.sources.get(id)?.version === version
    if (!sources.every(isHeld)) yield* startLoading(organizationId, holding)
    const ready = sources.filter(isHeld).map(({ id }) => id)
    const near = ready.length === 0 ? [] : yield* threads.ask(organizationId, ready, question, most)
    return near.map(({ sourceId, number, cosine }) => ({ sourceId, number, score: scoreOf(cosine, leastCosine) }))
  })

  const find = traced("SimilarPassages.nearest")(function* (
    organizationId: string,
    bases: ReadonlyArray<string>,
    query: string,
    most: number,
    patienceMs: number
  ) {
    const sources = bases.length === 0 ? [] : yield* stored.sources(organizationId, model, bases)
    if (sources.length === 0) return []
    const { vectors } = yield* embed([query], patienceMs)
    return yield* among(organizationId, sources, vectors[0], most)
  })

  return {
    nearest: (organizationId, bases, query, most, patienceMs) =>
      find(organizationId, bases, query, most, patienceMs).pipe(
        Effect.timeoutOrElse({ duration: patienceMs, orElse: () => Effect.succeed([]) }),
        // Words find enough, and the circuit and its metric tell of a provider that is away.
        Effect.catchCause((cause) => Effect.as(Effect.logDebug("passages are found by words alone", cause), []))
      )
  } satisfies SimilarPassages
})

/** Needs Embeddings and PassageVectors. */
export const layer = (options: SimilarPassagesOptions) => Layer.effect(SimilarPassages, make(options))
