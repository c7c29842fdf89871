/**
 * The actor of one call: a mailbox, the pure reducer (`domain/Call`), and an interpreter for its actions, with four fibers in one
 * scope (Listening, Thinking, Speaking, and the silence timer). The scope is the crash group: all of it ends together, and the call's end
 * is always recorded. A call is never restarted in place.
 */
import { Cause, Clock, Effect, Exit, FiberHandle, Queue, Schedule } from "effect"
import { type CallAction, type CallEvent, type CallState, initialCall, step } from "../../domain/Call.ts"
import { CallJournal } from "../../domain/CallJournal.ts"
import {
  type AgentConfig,
  AppCallbacks,
  type CallEvent as CallbackEvent,
  type CallSetup,
  type EndReason
} from "../../domain/EngineProtocol.ts"
import { newId } from "../../domain/Ids.ts"
import { Telephony } from "../../domain/Telephony.ts"
import { escalateToHuman } from "../../domain/Tool.ts"
import * as Twiml from "../../domain/Twiml.ts"
import type { Line } from "./Line.ts"
import * as Listening from "./Listening.ts"
import { callEnded, callStarted } from "./Metrics.ts"
import { Session } from "./Session.ts"
import * as Speaking from "./Speaking.ts"
import * as Thinking from "./Thinking.ts"

/** A mailbox holds decisions, not frames: a handful a minute. */
const mailboxCapacity = 256
/** How long the end of a call waits for the transcript of the caller's last words. */
const lastWordsWait = "1500 millis"
const pollEvery = Schedule.spaced("20 millis")
/** A caller who makes sounds without words does not postpone the silence prompt for longer than this. */
const silenceGraceMs = 8_000

export interface CallOptions {
  readonly setup: CallSetup
  readonly agent: AgentConfig
  readonly streamSid: string
  readonly line: Line
  readonly now: () => number
}

const isoNow = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms).toISOString())

/** The synchronous half of a call, there before its fiber runs: what the socket and the media clock talk to. */
export const open = (options: CallOptions) => {
  const mailbox = Effect.runSync(Queue.make<CallEvent>({ capacity: mailboxCapacity, strategy: "dropping" }))
  const offer = (event: CallEvent) => {
    Queue.offerUnsafe(mailbox, event)
  }
  let session: Session
  const listening = Listening.make(options.agent, (text) => session.transcript(text))
  session = new Session({ ...options, ear: listening.ear, offer })
  return { options, mailbox, offer, listening, session }
}
export type OpenCall = ReturnType<typeof open>

/** Runs an open call to its end; resolves to why it ended. */
export const run = Effect.fn("Call.run")(function* (call: OpenCall) {
  const journal = yield* CallJournal
  const { agent, setup, line } = call.options
  const base = { organizationId: agent.organizationId, agentId: agent.agentId, callId: setup.callId }
  let state: CallState = initialCall(agent, setup.contactName)
  let toolCalls = 0

  const recordEnd = Effect.fnUntraced(function* (endReason: EndReason) {
    yield* journal.record({
      type: "call_end",
      id: newId("evt"),
      ...base,
      endReason,
      endedAt: yield* isoNow,
      durationSeconds: Math.round(call.session.elapsed() / 100) / 10,
      turns: call.session.clock.turns,
      interruptions: state.interruptions,
      toolCalls
    })
  })

  const life = Effect.scoped(
    Effect.gen(function* () {
      yield* journal.record({ type: "call_started", id: newId("evt"), ...base, startedAt: yield* isoNow })
      const interpret = yield* makeInterpreter(call, base, () => toolCalls++)
      yield* Effect.forkScoped(
        call.listening.run.pipe(Effect.andThen(Effect.sync(() => call.offer({ _tag: "ProviderLost" }))))
      )
      yield* Effect.forkScoped(
        Effect.delay(
          Effect.sync(() => call.offer({ _tag: "MaxDurationReached" })),
          agent.maxCallSeconds * 1_000
        )
      )
      call.offer({ _tag: "Answered" })
      while (true) {
        const event = yield* Queue.take(call.mailbox)
        if (event._tag === "LineClosed") yield* collectLastWords(call)
        for (const due of event._tag === "LineClosed" ? [...pending(call), event] : [event]) {
          const [next, actions] = step(state, due)
          state = next
          for (const action of actions) {
            if (action._tag === "End") {
              yield* interpret.lastSpoken
              return action.endReason
            }
            yield* interpret.run(action)
          }
        }
      }
    })
  )

  // Also when the process stops in mid-call: the end is on disk before the call's scope is gone.
  yield* callStarted
  return yield* life.pipe(
    Effect.onExit((exit) =>
      Effect.gen(function* () {
        line.close()
        if (Exit.isFailure(exit)) yield* Effect.logError("the call was cut off", Cause.pretty(exit.cause))
        const endReason: EndReason = Exit.isSuccess(exit) ? exit.value : "error"
        yield* recordEnd(endReason)
        yield* callEnded(endReason, call.session.clock.turns)
      })
    )
  )
})

/** The line is gone: what the caller said last is still being transcribed. */
const collectLastWords = (call: OpenCall) => {
  if (!call.session.callerUnfinished) return Effect.void
  if (call.session.awaitsTranscript) call.listening.ear.pause()
  return Effect.suspend(() => (!call.session.awaitsTranscript ? Effect.void : Effect.fail("waiting" as const))).pipe(
    Effect.retry({ schedule: pollEvery }),
    Effect.timeout(lastWordsWait),
    Effect.ignore,
    Effect.andThen(Effect.sync(() => call.session.takeRest()))
  )
}

/** Events that were offered before the line closed (or because it did) come first. */
const pending = (call: OpenCall): ReadonlyArray<CallEvent> => Effect.runSync(Queue.clear(call.mailbox))

type Base = Pick<CallbackEvent, "organizationId" | "agentId" | "callId">

const makeInterpreter = Effect.fnUntraced(function* (call: OpenCall, base: Base, countTool: () => void) {
  const { session, offer } = call
  const { agent, setup } = call.options
  const journal = yield* CallJournal
  const telephony = yield* Telephony
  const callbacks = yield* AppCallbacks
  const thinking = yield* FiberHandle.make<void>()
  const silence = yield* FiberHandle.make<void>()
  const speaking = yield* Speaking.make(agent, session, () => offer({ _tag: "ProviderLost" }))
  let sequence = 0

  const recordUtterance = (
    role: "caller" | "agent",
    text: string,
    interrupted: boolean,
    startMs: number,
    endMs: number
  ) =>
    journal.record({
      type: "transcript",
      id: newId("utt"),
      ...base,
      sequence: ++sequence,
      role,
      text,
      interrupted,
      startMs,
      endMs
    })

  const stopSpeaking = Effect.suspend(() => {
    const spoken = session.silenceAgent()
    const record =
      spoken.text === "" ? Effect.void : recordUtterance("agent", spoken.text, true, spoken.startMs, spoken.endMs)
    return Effect.andThen(speaking.dropStale, record)
  })

  const think = (action: Extract<CallAction, { _tag: "Think" }>) =>
    Effect.suspend(() => {
      const epoch = session.epoch
      session.replying = true
      session.interruptible = true
      session.expect()
      session.clock.begin(action.turn)
      return Thinking.think({
        turn: action.turn,
        callId: base.callId,
        agent,
        history: action.history,
        text: action.text,
        say: (clause) => {
          speaking.say(clause, epoch)
        },
        offer,
        onFirstToken: () => session.clock.firstToken(),
        onToolCall: countTool
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            if (session.epoch === epoch) session.replying = false
          })
        )
      )
    })

  const watchSilence = Effect.gen(function* () {
    yield* Effect.sleep(agent.silence.promptAfterSeconds * 1_000)
    for (let waited = 0; session.callerUnfinished && waited < silenceGraceMs; waited += 250) yield* Effect.sleep(250)
    offer({ _tag: "SilenceElapsed" })
  })

  const transfer = (destination: string) =>
    telephony.redirect(setup, setup.callSid, Twiml.dial(destination)).pipe(
      Effect.match({
        onSuccess: (): CallEvent => ({ _tag: "TransferDone" }),
        onFailure: (): CallEvent => ({ _tag: "TransferFailed" })
      }),
      Effect.map(offer)
    )

  /** The caller asked for a human in so many words: the escalation tool runs as if the model had called it. */
  const escalate = (reason: string) =>
    callbacks
      .runTool({
        ...base,
        toolCallId: newId("aud"),
        name: escalateToHuman.name,
        arguments: JSON.stringify({ reason })
      })
      .pipe(
        Effect.tapError((error) => Effect.logWarning("escalation could not be noted", error)),
        Effect.ignore
      )

  const run = (action: Exclude<CallAction, { _tag: "End" }>): Effect.Effect<void, never, Thinking.Services> => {
    switch (action._tag) {
      case "Say":
        return Effect.sync(() => {
          session.interruptible = action.interruptible
          speaking.say(action.text, session.epoch)
        })
      case "StopSpeaking":
        return stopSpeaking
      case "Think":
        return Effect.asVoid(FiberHandle.run(thinking, think(action)))
      case "StopThinking":
        return Effect.andThen(FiberHandle.clear(thinking), speaking.dropStale)
      case "ArmSilence":
        return Effect.asVoid(FiberHandle.run(silence, watchSilence))
      case "DisarmSilence":
        return FiberHandle.clear(silence)
      case "RecordUtterance":
        return recordUtterance(action.role, action.text, action.interrupted, action.startMs, action.endMs)
      case "RecordFlag":
        return journal.record({
          type: "moderation",
          id: newId("aud"),
          ...base,
          direction: action.direction,
          text: action.text,
          categories: action.categories
        })
      case "RunEscalation":
        return Effect.andThen(Effect.sync(countTool), Effect.forkDetach(escalate(action.reason))).pipe(Effect.asVoid)
      case "RecordHandoff":
        return journal.record({ type: "handoff", id: newId("evt"), ...base, reason: action.reason })
      case "Transfer":
        return transfer(action.destination)
      case "HangUp":
        return Effect.sync(() => call.options.line.close())
    }
  }
  return { run, lastSpoken: stopSpeaking }
})
