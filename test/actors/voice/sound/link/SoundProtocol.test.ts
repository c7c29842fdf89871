/** Every message of the tables is read as it was written, and nothing that foreign bytes say is believed. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { BatchReader, BatchWriter } from "../../../../../src/actors/voice/sound/link/Batches.ts"
import { anyRecord, type Kind, Out, ProtocolBroken } from "../../../../../src/actors/voice/sound/link/Fields.ts"
import {
  type AnyTable,
  Codec,
  commonVersion,
  mustKnow,
  toMind,
  toSound
} from "../../../../../src/actors/voice/sound/link/SoundProtocol.ts"

const valueOf = (kind: Kind): fc.Arbitrary<unknown> => {
  switch (kind) {
    case "count":
      return fc.nat({ max: 0xffff_ffff })
    case "number":
    case "time":
      return fc.double({ noNaN: true })
    case "flag":
      return fc.boolean()
    case "text":
      return fc.string({ unit: "grapheme" })
    case "bytes":
      return fc.uint8Array()
  }
  if ("oneOf" in kind) return fc.constantFrom(...kind.oneOf)
  if ("added" in kind) return valueOf(kind.added)
  if ("listOf" in kind) return fc.array(valueOf(kind.listOf), { maxLength: 4 })
  return recordOf(kind.record)
}
const recordOf = (kinds: Readonly<Record<string, Kind>>): fc.Arbitrary<object> =>
  fc
    .record(Object.fromEntries(Object.entries(kinds).map(([key, kind]) => [key, valueOf(kind)])))
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)))

/** The bytes of the fields that earlier versions do not write. All of them are numbers so far. */
const addedBytes = (table: AnyTable, tag: string): number =>
  Object.values(table[tag][1]).filter(({ kind }) => typeof kind === "object" && "added" in kind).length * 8

const messagesOf = (table: AnyTable) =>
  fc.oneof(
    ...Object.entries(table).map(([_tag, [, fields]]) => {
      const { kind } = anyRecord(fields)
      return (typeof kind === "object" && "record" in kind ? recordOf(kind.record) : fc.constant({})).map((value) => ({
        _tag,
        ...value
      }))
    })
  )
const envelopes = (table: AnyTable) => fc.record({ call: fc.nat(), sequence: fc.nat(), message: messagesOf(table) })

describe.each(
  Object.entries({ toSound: toSound as AnyTable, toMind: toMind as AnyTable })
)("the messages %s", (_, table) => {
  const codec = new Codec(table)

  it("have a number each, which no other has", () => {
    const types = Object.values(table).map(([type]) => type)
    expect(new Set(types).size).toBe(types.length)
  })

  it("are read as they were written, wherever the stream is cut", () => {
    const batches = fc.array(fc.array(envelopes(table), { maxLength: 5 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(batches, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (all, cuts) => {
        const [writer, reader] = [new BatchWriter(), new BatchReader()]
        const stream = Buffer.concat(
          all.map(
            (envelopes) =>
              writer.batch(7, true, (out) => {
                for (const envelope of envelopes) codec.write(out, envelope)
              }) ?? new Uint8Array()
          )
        )
        const read: Array<unknown> = []
        for (let at = 0, cut = 0; at < stream.length; cut++) {
          const to = at + cuts[cut % cuts.length]
          for (const { acknowledged, messages } of reader.push(stream.subarray(at, to))) {
            expect(acknowledged).toBe(7)
            read.push(messages.map((message) => codec.read(message)))
          }
          at = to
        }
        expect(read).toEqual(all)
        expect(reader.taken).toBe(all.length)
      }),
      { numRuns: 200 }
    )
  })

  it("are refused when they are cut short, and never read beyond their end", () => {
    fc.assert(
      fc.property(envelopes(table), fc.nat(), (envelope, cut) => {
        const out = new Out()
        codec.write(out, envelope)
        const message = out.copy().subarray(4)
        const length = cut % message.length
        // What a later version has added at the end may be missing.
        if (length === message.length - addedBytes(table, envelope.message._tag)) return
        expect(() => codec.read(message.subarray(0, length))).toThrow(ProtocolBroken)
      }),
      { numRuns: 200 }
    )
  })

  it("with an unknown type are skipped, unless they must be known; fields that a later version adds are ignored", () => {
    const later = new Codec({ Later: [200, {}] })
    const message = { call: 3, sequence: 4, message: { _tag: "Later" } as const }
    const skipped = new Out()
    later.write(skipped, message)
    expect(codec.read(skipped.copy().subarray(4))).toEqual({ call: 3, sequence: 4, message: undefined })
    const needed = new Out()
    later.write(needed, message, mustKnow)
    expect(() => codec.read(needed.copy().subarray(4))).toThrow(ProtocolBroken)
    const [[_tag, [, fields]]] = Object.entries(table).filter(([, [, of]]) => Object.keys(of).length === 0)
    expect(fields).toEqual({})
    const longer = new Out()
    codec.write(longer, { call: 1, sequence: 1, message: { _tag } })
    longer.u32(1)
    expect(codec.read(longer.copy().subarray(4)).message).toEqual({ _tag })
  })
})

describe("a stream of batches", () => {
  it("that is noise, too long, or has lost a batch ends the link", () => {
    const second = new BatchWriter()
    second.batch(0, true, () => undefined)
    const lost = second.batch(0, true, () => undefined) ?? new Uint8Array()
    for (const bytes of [lost, new Uint8Array(64).fill(0xff), new Uint8Array(64)])
      expect(() => [...new BatchReader().push(bytes)]).toThrow(ProtocolBroken)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        try {
          for (const { messages } of new BatchReader().push(bytes))
            for (const message of messages) new Codec(toSound as AnyTable).read(message)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolBroken)
        }
      })
    )
  })
})

describe("the version", () => {
  it("is the highest that both know; without one there is no link", () => {
    expect(commonVersion({ lowest: 1, highest: 2 }, { lowest: 2, highest: 3 })).toBe(2)
    expect(commonVersion({ lowest: 1, highest: 4 }, { lowest: 1, highest: 3 })).toBe(3)
    expect(() => commonVersion({ lowest: 1, highest: 1 }, { lowest: 2, highest: 3 })).toThrow(ProtocolBroken)
  })
})
