/** The fields that messages between sound and mind are made of: how each is written, read, and (for tests) made up. Little endian. */

/** The other side does not keep to the protocol. The link ends. */
export class ProtocolBroken extends Error {
  override readonly name = "ProtocolBroken"
}

/** A message being written. It grows, and is used again for the next batch. */
export class Out {
  private bytes = Buffer.alloc(16 * 1_024)
  private end = 0

  get length(): number {
    return this.end
  }
  clear(): void {
    this.end = 0
  }
  /** A copy of what was written. */
  copy(): Uint8Array {
    return new Uint8Array(this.bytes.subarray(0, this.end))
  }
  u8(value: number): void {
    this.end = this.room(1).writeUInt8(value, this.end)
  }
  u32(value: number): void {
    this.end = this.room(4).writeUInt32LE(value, this.end)
  }
  f64(value: number): void {
    this.end = this.room(8).writeDoubleLE(value, this.end)
  }
  blob(value: Uint8Array): void {
    this.u32(value.length)
    this.room(value.length).set(value, this.end)
    this.end += value.length
  }
  /** Writes a length where `u32` has kept its place. */
  lengthAt(place: number): void {
    this.bytes.writeUInt32LE(this.end - place - 4, place)
  }
  private room(count: number): Buffer {
    if (this.end + count > this.bytes.length) {
      const larger = Buffer.alloc(2 * (this.end + count))
      larger.set(this.bytes.subarray(0, this.end))
      this.bytes = larger
    }
    return this.bytes
  }
}

/** Turns times of the other side into times of this one (`PeerClock`). */
export interface PeerTimes {
  readonly ours: (theirs: number) => number
}

/** A message being read. Throws ProtocolBroken at its end. */
export class In {
  private readonly bytes: Buffer
  private at = 0

  private readonly clock: PeerTimes | undefined

  /** `clock`: of the process that has written it, when that is another one than here. */
  constructor(bytes: Uint8Array, clock?: PeerTimes) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.clock = clock
  }
  get left(): number {
    return this.bytes.length - this.at
  }
  u8(): number {
    return this.bytes.readUInt8(this.take(1))
  }
  u32(): number {
    return this.bytes.readUInt32LE(this.take(4))
  }
  f64(): number {
    return this.bytes.readDoubleLE(this.take(8))
  }
  /** A time of the other side, on the clock of this one. */
  time(): number {
    const at = this.f64()
    return this.clock === undefined ? at : this.clock.ours(at)
  }
  /** A view: copy what must last. */
  blob(): Uint8Array {
    const length = this.u32()
    const from = this.take(length)
    return this.bytes.subarray(from, from + length)
  }
  private take(count: number): number {
    if (count > this.left) throw new ProtocolBroken("a message is shorter than its fields")
    this.at += count
    return this.at - count
  }
}

/** What values a field takes: tests make them up by it. */
export type Kind =
  | "count"
  | "number"
  | "time"
  | "flag"
  | "text"
  | "bytes"
  | { readonly oneOf: ReadonlyArray<unknown> }
  | { readonly listOf: Kind }
  | { readonly record: Readonly<Record<string, Kind>> }
  | { readonly added: Kind }

// Methods, so that fields of all types fit into one table.
export interface Field<T> {
  write(out: Out, value: T): void
  read(from: In): T
  readonly kind: Kind
}
export type Fields<T> = { readonly [Key in keyof T]-?: Field<T[Key]> }
/** The fields of a message when its type does not matter. */
export type AnyFields = Readonly<Record<string, Field<unknown>>>

/** 0 to 2³² − 1. */
export const count: Field<number> = { kind: "count", write: (out, value) => out.u32(value), read: (from) => from.u32() }
/** Durations and the like, which may be fractions, negative or infinite. */
export const number: Field<number> = {
  kind: "number",
  write: (out, value) => out.f64(value),
  read: (from) => from.f64()
}
/** Monotonic milliseconds of whoever writes it; whoever reads it has it on its own clock. 0: never. */
export const time: Field<number> = {
  kind: "time",
  write: (out, value) => out.f64(value),
  read: (from) => from.time()
}
export const flag: Field<boolean> = {
  kind: "flag",
  write: (out, value) => out.u8(value ? 1 : 0),
  read: (from) => from.u8() === 1
}
export const bytes: Field<Uint8Array> = {
  kind: "bytes",
  write: (out, value) => out.blob(value),
  read: (from) => new Uint8Array(from.blob())
}
export const text: Field<string> = {
  kind: "text",
  write: (out, value) => out.blob(Buffer.from(value, "utf8")),
  read: (from) => Buffer.from(from.blob()).toString("utf8")
}
/** One of these values. */
export const oneOf = <T>(...values: ReadonlyArray<T>): Field<T> => ({
  kind: { oneOf: values },
  write: (out, value) => out.u8(values.indexOf(value)),
  read: (from) => {
    const index = from.u8()
    if (index >= values.length) throw new ProtocolBroken("a field has a value that is not known")
    return values[index]
  }
})
export const listOf = <T>(field: Field<T>): Field<ReadonlyArray<T>> => ({
  kind: { listOf: field.kind },
  write: (out, values) => {
    out.u32(values.length)
    for (const value of values) field.write(out, value)
  },
  read: (from) => {
    const length = from.u32()
    if (length > from.left) throw new ProtocolBroken("a list is longer than its message")
    return Array.from({ length }, () => field.read(from))
  }
})
/** A field at the end of a message that earlier versions do not write: undefined then. */
export const added = <T>(field: Field<T>): Field<T | undefined> => ({
  kind: { added: field.kind },
  write: (out, value) => {
    if (value !== undefined) field.write(out, value)
  },
  read: (from) => (from.left === 0 ? undefined : field.read(from))
})
/** Fields one after the other, in the order in which they are written down here. An absent field stays absent. */
export const anyRecord = (fields: AnyFields): Field<object> => {
  const all = Object.entries(fields)
  return {
    kind: { record: Object.fromEntries(all.map(([key, { kind }]) => [key, kind])) },
    write: (out, value) => {
      for (const [key, field] of all) field.write(out, Reflect.get(value, key))
    },
    read: (from) => {
      const read = all.map(([key, field]): readonly [string, unknown] => [key, field.read(from)])
      return Object.fromEntries(read.filter(([, value]) => value !== undefined))
    }
  }
}
export const record = <T extends object>(fields: Fields<T>): Field<T> => {
  const { kind, write, read } = anyRecord(fields as AnyFields)
  return { kind, write, read: (from) => read(from) as T }
}
