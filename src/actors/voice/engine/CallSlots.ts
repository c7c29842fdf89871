/**
 * The slots of this process and who holds them. Book-keeping without time or I/O. An admitted call holds exactly one slot until it is
 * released. The slot is first reserved, while the call waits for its stream, and then live. Releasing twice changes nothing.
 *
 * Fairness: when nine tenths of the slots are taken, an organization gets another slot only while it holds less than an equal share. The
 * share is that of all slots, divided among the organizations with calls and one newcomer.
 */
import type { Refusal } from "../../../domain/voice/engine/EngineRefusal.ts"

/** Fair shares apply from this part of the capacity on. */
export const contended = 0.9

interface Slot {
  readonly organizationId: string
  live: boolean
}

export class CallSlots {
  readonly capacity: number
  private readonly slots = new Map<string, Slot>()
  private readonly held = new Map<string, number>()

  /** @param capacity calls at a time, at least 1. */
  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** Slots taken, reserved ones included. */
  get taken(): number {
    return this.slots.size
  }

  /** Slots an organization holds. */
  heldBy(organizationId: string): number {
    return this.held.get(organizationId) ?? 0
  }

  /** Whether the call's stream has come and the call goes on. */
  isLive(callId: string): boolean {
    return this.slots.get(callId)?.live === true
  }

  /** Takes a slot, or returns why there is none. A call that has a slot keeps it. `limit`: the most calls of the organization at once. */
  reserve(callId: string, organizationId: string, limit: number): Refusal | undefined {
    if (this.slots.has(callId)) return undefined
    const held = this.heldBy(organizationId)
    if (held >= limit) return "organization_full"
    if (this.taken >= this.capacity) return "process_full"
    if (this.taken >= this.capacity * contended && held >= this.shareOf(organizationId)) return "fair_share"
    this.take(callId, organizationId)
    return undefined
  }

  /** The stream has come: the slot is live. False without a reservation. */
  claim(callId: string): boolean {
    const slot = this.slots.get(callId)
    if (slot === undefined || slot.live) return false
    slot.live = true
    return true
  }

  /**
   * Takes a slot for a call that another process admitted and whose stream came here. It is never refused, because the provider was already
   * told to connect. A process may thus hold a few more calls than its capacity; it admits no new ones until it is below again.
   */
  takeOver(callId: string, organizationId: string): void {
    if (!this.slots.has(callId)) this.take(callId, organizationId)
  }

  /** Frees the slot of a call that is over or whose stream never came. False when it held no slot. */
  release(callId: string): boolean {
    const slot = this.slots.get(callId)
    if (slot === undefined) return false
    this.slots.delete(callId)
    const left = this.heldBy(slot.organizationId) - 1
    if (left > 0) this.held.set(slot.organizationId, left)
    else this.held.delete(slot.organizationId)
    return true
  }

  /** The calls that hold slots, with their organizations. */
  *calls(): Iterable<{ readonly callId: string; readonly organizationId: string }> {
    for (const [callId, { organizationId }] of this.slots) yield { callId, organizationId }
  }

  private take(callId: string, organizationId: string): void {
    this.slots.set(callId, { organizationId, live: false })
    this.held.set(organizationId, this.heldBy(organizationId) + 1)
  }

  private shareOf(organizationId: string): number {
    const organizations = this.held.size + (this.held.has(organizationId) ? 0 : 1)
    return this.capacity / (organizations + 1)
  }
}
