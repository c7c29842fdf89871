/**
 * The mind of one call: a mailbox, the pure reducer (`domain/voice/dialogue/Call`), and an interpreter for its actions. Three fibers run in one
 * scope: Listening, Thinking, Speaking. They end together with the scope, and the end of the call is always recorded.
 * A call is never restarted in place.
 */
import { Cause, Clock, Effect, Exit, Queue, Schedule } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { type CallInput, type CallState, handoverOf, initialCall, step } from "../../../domain/voice/dialogue/Call.ts"
import { takeOver } from "../../../domain/voice/dialogue/CallTakeOver.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { CallJournal } from "../../../domain/voice/engine/CallJournal.ts"
import type { CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import type { EndReason } from "../../../domain/voice/engine/EndReason.ts"
import * as Interpreter from "./Interpreter.ts"
import { callEnded, callLeft, callStarted } from "./Metrics.ts"
import type { OpenCall } from "./OpenCall.ts"
import { makeReport } from "./Report.ts"
import { turnSpans } from "./Tracing.ts"

/** How long the end of a call waits for the transcript of the caller's last words. */
const lastWordsWait = "1500 millis"
const pollEvery = Schedule.spaced("20 millis")

/** A caller who comes back from a human has at least this long with the agent, even when less is left of the longest call. Milliseconds. */
const leastMsAfterHuman = 120_000

/** How long this part of the call may last. The earlier parts and the wait for a human count against the longest call. */
const remainingMs = ({ maxCallSeconds }: AgentConfig, { resume }: CallSetup): number => {
  const longestMs = maxCallSeconds * 1_000
  return Math.min(longestMs, Math.max(leastMsAfterHuman, longestMs - (resume?.elapsedMs ?? 0)))
}

const isoNow = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms).toISOString())

/** Runs an open call to its end. Returns why it ended. */
export const run = traced("Call.run")(function* (call: OpenCall) {
  const journal = yield* CallJournal
  const { agent, setup } = call.options
  const { before, keeper, progress } = call
  const base = {
    organizationId: agent.organizationId,
    agentId: agent.agentId,
    callId: setup.callId,
    ...(before === undefined ? {} : { fence: before.fence })
  }
  let state: CallState = before?.state ?? initialCall(agent, setup.resume)
  const report = yield* makeReport(base)

  let over: { readonly endedAt: string; readonly elapsedMs: number } | undefined
  /** Notes when the call was over, the first time it runs. The wait for last words after that does not lengthen the call. */
  const hungUp = Effect.map(isoNow, (endedAt) => {
    over ??= { endedAt, elapsedMs: call.elapsed() }
    return over
  })

  const recordEnd = Effect.fnUntraced(function* (endReason: EndReason) {
    const handover = handoverOf(state)
    const { endedAt, elapsedMs } = yield* hungUp
    const { falseInterruptions, callerTalkMs, agentTalkMs } = yield* call.sound.takeRest
    yield* journal.record({
      type: "call_end",
      id: newId("evt"),
      ...base,
      endReason,
      endedAt,
      durationSeconds: Math.round(elapsedMs / 100) / 10,
      turns: call.sound.clock.turns,
      interruptions: progress.interruptions,
      falseInterruptions,
      toolCalls: progress.toolCalls,
      callerTalkMs,
      agentTalkMs,
      ...(handover === undefined ? {} : { handover })
    })
    return { falseInterruptions }
  })

  const life = Effect.scoped(
    Effect.gen(function* () {
      // The first event of the call, though the disclosure does not wait for the disk.
      if (before === undefined)
        yield* journal
          .record({ type: "call_started", id: newId("evt"), ...base, startedAt: yield* isoNow })
          .pipe(Effect.forkScoped({ startImmediately: true }))
      else {
        const { fence } = before
        yield* journal
          .record({ type: "call_taken_over", id: newId("evt"), ...base, fence, sequence: progress.sequence })
          .pipe(Effect.forkScoped({ startImmediately: true }))
      }
      if (call.recording !== undefined) yield* call.recording.store(base, () => call.isLeft)
      const interpret = yield* Interpreter.make(
        call,
        base,
        report,
        () => {
          progress.toolCalls++
          report.activity("tool")
        },
        () => progress.interruptions++,
        () => state
      )
      yield* Effect.forkScoped(
        call.listening.run.pipe(Effect.andThen(Effect.sync(() => call.offer({ _tag: "ProviderLost" }))))
      )
      yield* Effect.forkScoped(
        Effect.delay(
          Effect.sync(() => call.offer({ _tag: "MaxDurationReached" })),
          remainingMs(agent, setup) - (before === undefined ? 0 : call.elapsed() - (setup.resume?.elapsedMs ?? 0))
        )
      )
      if (before !== undefined) {
        const [next, actions] = takeOver(state, before.left)
        state = next
        for (const action of actions) if (action._tag !== "End") yield* interpret.run(action)
      }
      while (true) {
        if (keeper !== undefined && Queue.sizeUnsafe(call.mailbox) === 0) {
          progress.passed = call.sound.passed
          keeper.settle(state, progress)
        }
        const event = yield* Queue.take(call.mailbox)
        keeper?.begin()
        // Their answers are in the history now.
        if (event._tag === "ToolExchange") progress.tools = []
        const lineClosed = event._tag === "LineClosed"
        if (lineClosed) yield* Effect.andThen(hungUp, collectLastWords(call))
        const due = lineClosed ? [...(yield* pending(call)), event] : [event]
        for (let at = 0; at < due.length; at++) {
          const [next, actions] = step(state, due[at])
          state = next
          call.people.closing = state.phase === "closing" || state.phase === "ended"
          report.after(state, due[at])
          report.turns(call.sound.clock.turns)
          for (const action of actions) {
            if (action._tag === "End") {
              yield* hungUp
              yield* interpret.stopSpeaking
              // The line is closed or the caller was transferred by now: nobody waits for this.
              if (!lineClosed) yield* collectLastWords(call)
              for (const rest of yield* takeRest(call, state, due.slice(at + 1))) yield* interpret.run(rest)
              return action.endReason
            }
            yield* interpret.run(action)
          }
        }
      }
    })
  )

  // Also when the process stops during the call: the end is on disk before the call's scope closes.
  yield* callStarted
  return yield* life.pipe(
    Effect.onExit((exit) =>
      Effect.gen(function* () {
        // Another mind goes on with the call, and records its end.
        if (call.isLeft) return yield* callLeft
        call.sound.send({ _tag: "HangUp" })
        report.activity("over")
        if (Exit.isFailure(exit)) yield* Effect.logError("the call was cut off", Cause.pretty(exit.cause))
        const endReason: EndReason = Exit.isSuccess(exit) ? exit.value : "error"
        const { falseInterruptions } = yield* recordEnd(endReason)
        const { turns, endsOfSpeech } = call.sound.clock
        yield* turnSpans(turns, endsOfSpeech, call.options.now)
        yield* callEnded(endReason, turns, { interruptions: progress.interruptions, falseInterruptions })
      })
    )
  )
})

/** Waits a little for the transcript of the caller's last words, which the agent does not answer any more. */
const collectLastWords = ({ sound, listening }: OpenCall) =>
  sound.lastWords.pipe(
    Effect.andThen(
      Effect.retry(
        Effect.suspend(() => (listening.doubts() ? Effect.fail("waiting" as const) : Effect.void)),
        { schedule: pollEvery }
      )
    ),
    Effect.timeout(lastWordsWait),
    Effect.ignore,
    Effect.andThen(sound.takeRest)
  )

/** The actions that record what the caller said last and the agent did not answer: from events `due` when the call ended, and from later ones. */
const takeRest = Effect.fnUntraced(function* (call: OpenCall, ended: CallState, due: ReadonlyArray<CallInput>) {
  yield* call.sound.takeRest
  return (
    [...due, ...(yield* pending(call))]
      .flatMap((event) => step(ended, event)[1])
      .filter((action) => action._tag === "RecordUtterance")
      // What the agent was saying is known last, and was said first.
      .sort((one, other) => one.startMs - other.startMs)
  )
})

/** Takes all events from the mailbox. Those offered before the line closed, or because it did, are handled before the close. */
const pending = (call: OpenCall): Effect.Effect<ReadonlyArray<CallInput>> => Queue.clear(call.mailbox)
