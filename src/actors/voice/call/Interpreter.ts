/** Carries out what the reducer of the call decides: one effect for each action, on the sound, the model, speech and the providers. */
import { Deferred, Effect, Fiber, FiberHandle } from "effect"
import type { Flag } from "../../../domain/ai/providers/JudgeTexts.ts"
import { Attempts, type ToolCall } from "../../../domain/ai/providers/Reasoning.ts"
import { SpeechToText } from "../../../domain/ai/providers/Speech.ts"
import { SpeechCache, speechCacheKey } from "../../../domain/ai/providers/SpeechCache.ts"
import { escalateToHuman } from "../../../domain/ai/tools/Tool.ts"
import type { AnswerSource } from "../../../domain/ai/tools/ToolRunner.ts"
import { idFrom, newId } from "../../../domain/basics/Ids.ts"
import { type CallAction, type CallInput, type CallState, factsOf } from "../../../domain/voice/dialogue/Call.ts"
import { fillers, listeningSounds } from "../../../domain/voice/dialogue/FixedPhrases.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { CallEvent } from "../../../domain/voice/engine/CallEvent.ts"
import { CallJournal } from "../../../domain/voice/engine/CallJournal.ts"
import { AppCallbacks } from "../../../domain/voice/engine/EnginePorts.ts"
import { nobody } from "../../../domain/voice/engine/EscalationPlan.ts"
import { Telephony } from "../../../domain/voice/telephony/Telephony.ts"
import type { SoundCommand } from "../sound/CallSound.ts"
import * as Briefing from "./Briefing.ts"
import type { KnownSound } from "./KnownSound.ts"
import { textWithheld } from "./Metrics.ts"
import type { OpenCall } from "./OpenCall.ts"
import type { PersonListening } from "./PersonListening.ts"
import type { Report } from "./Report.ts"
import * as Speaking from "./Speaking.ts"
import * as Thinking from "./Thinking.ts"

/** A caller who was promised a human waits no longer than this for a plan. */
const escalationWait = "5 seconds"

/** How often the app is asked what has happened outside of the call. */
const noticesEvery = "1500 millis"

type RecordUtterance = Extract<CallAction, { _tag: "RecordUtterance" }>

type Withheld = Extract<CallEvent, { readonly type: "withheld" }>

/** Whether the turn is over with this outcome, so that the next answer is to another turn. A guess that fails is not its end. */
const settles = ({ _tag }: CallInput, certain: Deferred.Deferred<void>): boolean =>
  _tag === "ReplyFinished" ||
  _tag === "EscalationRequested" ||
  (_tag === "ReplyFailed" && Deferred.isDoneUnsafe(certain))

type Base = Pick<CallEvent, "organizationId" | "agentId" | "callId" | "fence">

/** Listening sounds are synthesized when the agent is saved. A call that finds none in the cache uses none. */
const loadListeningSounds = Effect.fnUntraced(function* (agent: AgentConfig, sound: KnownSound) {
  const cache = yield* SpeechCache
  const sounds = yield* Effect.forEach(listeningSounds(agent.voice.language), (line) =>
    cache.get(speechCacheKey(Speaking.speechRequest(agent, line)))
  )
  sound.send({ _tag: "ListeningSounds", sounds: sounds.filter((audio) => audio !== undefined) })
})

/**
 * Runs the actions of a call. Its fibers belong to the scope it is made in. It calls `countTool` for every tool that runs, and
 * `countInterruption` for every utterance that is recorded as interrupted, so that the two agree.
 */
export const make = Effect.fnUntraced(function* (
  call: OpenCall,
  base: Base,
  report: Report,
  countTool: () => void,
  countInterruption: () => void,
  settled: () => CallState
) {
  const { sound, offer } = call
  const { agent, setup, now } = call.options
  const journal = yield* CallJournal
  const telephony = yield* Telephony
  const callbacks = yield* AppCallbacks
  const callScope = yield* Effect.scope
  const thinking = yield* FiberHandle.make<void>()
  const speechToText = yield* SpeechToText
  const personListening = yield* FiberHandle.make<void>()
  const speaking = yield* Speaking.make(agent, sound)
  if (agent.backchanneling) yield* Effect.forkScoped(loadListeningSounds(agent, sound))
  const fillerLines = fillers(agent.voice.language)
  // An agent without fillers says one only when it is slow. It begins with the one that asks for a moment.
  let fillersSaid = agent.use_fillers ? 0 : 1
  /** Where the answer that is being made or spoken is from. */
  let sources: ReadonlyArray<AnswerSource> = []
  let certain = Deferred.makeUnsafe<void>()
  let attempts = new Attempts()
  /** Done when the agent waits for something outside of the call. */
  const awaited = Deferred.makeUnsafe<void>()
  let kept = { turn: 0, told: Deferred.makeUnsafe<void>() }

  /** The tools that were asked when another mind had the call: they are asked again, by the same ids. */
  let asked = call.before?.progress.tools ?? []
  const takeAsked = () => {
    const tools = asked
    asked = []
    return tools
  }

  /** Models number tool calls from the start again after a human had the call. The suffix keeps those ids apart from the earlier ones. */
  const toolCallId = (id: string) => (setup.resume === undefined ? id : `${id}@${setup.resume.elapsedMs}`)

  /** The order of the utterances is fixed here; the caller's answer does not wait for the disk. A write under way outlives the call's scope. */
  const recordUtterance = ({ role, text, interrupted, startMs, endMs, by }: RecordUtterance) =>
    Effect.suspend(() => {
      if (interrupted) countInterruption()
      report.words(role, text, true, startMs, by)
      return journal.record({
        type: "transcript",
        // Also what an engine records again that took the call over: the app forgets what the one before recorded from there on.
        id: idFrom(
          "utt",
          `${base.callId} ${call.progress.sequence}${base.fence === undefined ? "" : ` ${base.fence}`}`
        ),
        ...base,
        sequence: call.progress.sequence++,
        role,
        text,
        interrupted,
        startMs,
        endMs,
        ...(by === undefined ? {} : { by }),
        ...(role === "agent" && by === undefined && sources.length > 0 ? { sources } : {})
      })
    }).pipe(Effect.forkIn(callScope, { startImmediately: true }), Effect.asVoid)

  const withhold = (what: Withheld["what"], flag: Flag, call?: ToolCall) =>
    Effect.suspend(() =>
      Effect.andThen(
        textWithheld(what),
        journal.record({
          type: "withheld",
          id: newId("aud"),
          ...base,
          what,
          text: flag.found,
          categories: flag.categories,
          ...(call === undefined ? {} : { tool: { id: toolCallId(call.id), name: call.name } })
        })
      )
    ).pipe(Effect.forkIn(callScope, { startImmediately: true }), Effect.asVoid)
  const briefing = yield* Briefing.make(agent, factsOf(setup), (flag) => withhold("fact", flag))

  const stopSpeaking = Effect.suspend(() => {
    sound.silence()
    return speaking.dropStale
  })

  /** The turn is certain: the caller may hear its answer. */
  const commit = () => {
    sound.commit()
    Deferred.doneUnsafe(certain, Effect.void)
  }

  const think = (action: Extract<CallAction, { _tag: "Think" }>) =>
    Effect.suspend(() => {
      const own = Deferred.makeUnsafe<void>()
      certain = own
      const told = Deferred.makeUnsafe<void>()
      sources = []
      kept = { turn: action.turn, told }
      const epoch = sound.think(action.turn, { held: action.guess })
      if (!action.guess) Deferred.doneUnsafe(own, Effect.void)
      return Thinking.think({
        turn: action.turn,
        callId: base.callId,
        toolCallId,
        agent,
        history: action.history,
        briefing,
        withhold: (what, toolCall, flag) => withhold(what, flag, toolCall),
        text: action.text,
        marked: action.marked,
        said: action.said ?? [],
        judge: (mark) => {
          offer({ _tag: "Judged", turn: action.turn, mark, silentMs: now() - sound.voicedAt })
          return mark === "unfinished" || mark === "time" ? Deferred.await(told) : Effect.void
        },
        say: (clause, verdict) => {
          speaking.say(clause, epoch, { verdict })
          report.activity("agent")
          report.words("agent", clause, false, call.elapsed())
        },
        saySomething: () => {
          speaking.say(fillerLines[fillersSaid++ % fillerLines.length], epoch)
        },
        callerSilentMs: () => now() - sound.voicedAt,
        agentSilentMs: () => sound.quietMs,
        attempts,
        offer: (event) => {
          if (settles(event, own)) attempts = new Attempts()
          offer(event)
        },
        onSources: (more) => {
          sources = [...new Map([...sources, ...more].map((each) => [each.sourceId + each.url, each])).values()].slice(
            0,
            10
          )
        },
        onFirstToken: () => sound.clock.firstToken(action.turn),
        onToolCall: countTool,
        asked: takeAsked(),
        keepTools: (tools) =>
          Effect.suspend(() => {
            call.progress.tools = tools
            return confirmed
          }),
        onTellsLater: () => Deferred.doneUnsafe(awaited, Effect.void),
        certain: own,
        callScope
      }).pipe(Effect.ensuring(Effect.sync(() => sound.send({ _tag: "ReplyOver", epoch }))))
    })

  /** Asks for what happens outside of the call, once a tool has said that something will, also one from before a human was asked for. */
  const followNotices = Effect.gen(function* () {
    const known = setup.resume?.noticesAfter
    if (known === undefined) yield* Deferred.await(awaited)
    const { organizationId, callId } = base
    let after = known ?? 0
    while (true) {
      const { notices } = yield* Effect.catch(callbacks.notices({ organizationId, callId, after }), (error) =>
        Effect.as(Effect.logDebug("the notices to a call could not be asked for", error), { notices: [] })
      )
      // The caller finishes first.
      if (notices.length > 0) yield* sound.callerPaused
      for (const { position, text } of notices) {
        after = Math.max(after, position)
        offer({ _tag: "Noticed", text })
      }
      yield* Effect.sleep(noticesEvery)
    }
  })
  yield* Effect.forkScoped(followNotices)

  const transfer = (twiml: string) =>
    telephony.redirect(setup, setup.callSid, twiml).pipe(
      Effect.match({
        onSuccess: (): CallInput => ({ _tag: "TransferDone" }),
        onFailure: (): CallInput => ({ _tag: "TransferFailed" })
      }),
      Effect.map(offer)
    )

  /** Waits until the call is kept as it is. An engine that stood still and was replaced waits for ever. Beside the mailbox: it is kept between two inputs. */
  const confirmed = Effect.suspend(() => call.keeper?.confirm(settled, call.progress) ?? Effect.void)

  /** Runs the escalation tool as if the model had called it. The caller is waiting: no answer in time means that nobody is available. */
  const escalate = (reason: string) => {
    const { organizationId, agentId, callId } = base
    return callbacks
      .runTool({
        ...{ organizationId, agentId, callId },
        // An engine that takes the call over asks for the same plan.
        toolCallId: idFrom("aud", `${callId} ${setup.resume?.elapsedMs ?? 0} escalation`),
        name: escalateToHuman.name,
        arguments: JSON.stringify({ reason })
      })
      .pipe(
        Effect.timeout(escalationWait),
        Effect.map(({ escalation = nobody }) => escalation),
        Effect.catch((error) => Effect.as(Effect.logWarning("escalation could not be planned", error), nobody)),
        Effect.map((plan) => offer({ _tag: "EscalationPlanned", plan }))
      )
  }

  /** The person's last words are waited for, unless somebody else takes the call over. */
  const forgetPerson = ({ end }: PersonListening) =>
    Effect.gen(function* () {
      const listens = yield* FiberHandle.get(personListening)
      yield* Effect.forkIn(
        Effect.andThen(end, listens._tag === "Some" ? Fiber.interrupt(listens.value) : Effect.void),
        callScope
      )
    })

  const send = (command: SoundCommand) => Effect.sync(() => sound.send(command))
  const run = (action: Exclude<CallAction, { _tag: "End" }>): Effect.Effect<void, never, Thinking.Services> => {
    switch (action._tag) {
      case "Say":
        return Effect.sync(() => {
          const line = action.interruptible ? "interruptible" : "uninterruptible"
          speaking.say(action.text, sound.epoch, { line })
        })
      case "StopSpeaking":
        return stopSpeaking
      case "Think":
        return Effect.asVoid(FiberHandle.run(thinking, think(action)))
      case "Commit":
        return Effect.sync(() => commit())
      case "KeepAnswer":
        return Effect.sync(() => {
          if (kept.turn === action.turn) Deferred.doneUnsafe(kept.told, Effect.void)
        })
      case "EndTurnSoon":
        return send({ _tag: "EndTurnSoon", text: action.text })
      case "AwaitMore":
        return send({ _tag: "AwaitMore", turn: action.turn })
      case "StopThinking":
        return Effect.andThen(FiberHandle.clear(thinking), speaking.dropStale)
      case "ArmSilence":
        return send({ _tag: "ArmSilence", ms: agent.silence.promptAfterSeconds * 1_000 })
      case "DisarmSilence":
        return send({ _tag: "DisarmSilence" })
      case "RecordUtterance":
        return recordUtterance(action)
      case "GiveToPerson": {
        const listen = Effect.provideService(call.givenToPerson().run, SpeechToText, speechToText)
        return Effect.andThen(
          send({ _tag: "Person", on: true }),
          Effect.asVoid(FiberHandle.run(personListening, listen))
        )
      }
      case "TakeFromPerson": {
        const left = call.takenFromPerson()
        const told = action.lost ? journal.record({ type: "person_lost", id: newId("aud"), ...base }) : Effect.void
        return Effect.all(
          [send({ _tag: "Person", on: false }), left === undefined ? Effect.void : forgetPerson(left), told],
          { discard: true }
        )
      }
      case "RecordFlag":
        return journal.record({
          type: "moderation",
          id: newId("aud"),
          ...base,
          direction: action.direction,
          text: action.text,
          categories: action.categories,
          ...(action.what === undefined ? {} : { what: action.what })
        })
      case "RunEscalation":
        return Effect.andThen(
          Effect.sync(countTool),
          Effect.forkIn(Effect.andThen(confirmed, escalate(action.reason)), callScope)
        ).pipe(Effect.asVoid)
      case "RecordHandoff":
        return journal.record({ type: "handoff", id: newId("evt"), ...base, reason: action.reason })
      case "Transfer":
        if (call.keeper === undefined) return transfer(action.twiml)
        return Effect.asVoid(Effect.forkIn(Effect.andThen(confirmed, transfer(action.twiml)), callScope))
      case "HangUp":
        return send({ _tag: "HangUp" })
    }
  }
  return { run, stopSpeaking }
})
