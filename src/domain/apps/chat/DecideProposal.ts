/** Use case: somebody presses Confirm or Decline under what the agent of the organization's own people proposes. Every step may be repeated. */
import { Clock, Effect } from "effect"
import { idFrom } from "../../basics/Ids.ts"
import { traced } from "../../basics/Traced.ts"
import type { ChatChange } from "../../messaging/channel/ChatRecord.ts"
import { ConversationCommands } from "../../messaging/conversations/ConversationCommand.ts"
import { makeSendMessage } from "../../messaging/sending/SendMessage.ts"
import { Acting, actingAs } from "../../people/access/Audit.ts"
import { Operation } from "../../people/access/Idempotency.ts"
import type { User } from "../../people/access/User.ts"
import { makeFindColleague, strangerSentence } from "./ChatColleague.ts"
import { ChatPosts, confirmAction, declineAction } from "./ChatPost.ts"
import { ChatProposals, type ProposedChange, proposedSentence } from "./ChatProposal.ts"
import { makeWhisper } from "./Whisper.ts"

type Pressed = Extract<ChatChange, { readonly type: "pressed" }>
const gone = "There is no such conversation any more."

/** Needs ChatProposals, ChatPosts, ConversationCommands, Users, and what `makeSendMessage` needs, once; the function it gives needs nothing. */
export const makeDecideProposal = Effect.gen(function* () {
  const proposals = yield* ChatProposals
  const posts = yield* ChatPosts
  const commands = yield* ConversationCommands
  const send = yield* makeSendMessage
  const colleague = yield* makeFindColleague
  const whisper = yield* makeWhisper

  const changed = Effect.fnUntraced(function* (
    organizationId: string,
    conversationId: string,
    changes: { readonly status?: "RESOLVED"; readonly assignee?: string | null },
    now: number
  ) {
    return yield* commands.change(organizationId, conversationId, changes, now).pipe(
      Effect.map((found) => (found === undefined ? gone : undefined)),
      Effect.catchTags({
        ImpossibleChange: ({ message }) => Effect.succeed(message),
        NoSuchAssignee: ({ id }) => Effect.succeed(`There is nobody with the id ${id}.`)
      })
    )
  })

  /** Carries the change out as the person; gives why it could not. */
  const carryOut = Effect.fnUntraced(function* (proposalId: string, change: ProposedChange, user: User) {
    const { organizationId } = user
    const now = yield* Clock.currentTimeMillis
    switch (change.type) {
      case "resolve_conversation":
        return yield* changed(organizationId, change.conversationId, { status: "RESOLVED" }, now)
      case "assign_conversation":
        return yield* changed(organizationId, change.conversationId, { assignee: change.assignee }, now)
      case "send_message": {
        const { contactId, text } = change
        return yield* send({ organizationId, to: { contactId }, body: { type: "text", text }, sentBy: user.id }).pipe(
          Effect.provideService(Operation, idFrom("idk", proposalId)),
          Effect.as(undefined),
          Effect.catchIf(
            (error) => error._tag !== "ConversationBusy" && error._tag !== "MessageWithheld",
            ({ message }) => Effect.succeed(message)
          )
        )
      }
    }
  })

  return traced("DecideProposal")(function* (organizationId: string, pressed: Pressed) {
    const { action, value: proposalId, author, place, messageTs, at } = pressed
    if (action !== confirmAction && action !== declineAction) return
    const user = yield* colleague(organizationId, author)
    const reason = `${messageTs}:${action}:${author.userId}:${at}`
    const refuse = (text: string) => whisper(organizationId, place, author, reason, text)
    if (user === undefined) return yield* refuse(strangerSentence(author))
    if (user.role === "AGENT") return yield* refuse("Only an OWNER or ADMIN can decide this. Nothing was done.")
    const decision = action === confirmAction ? "confirmed" : "declined"
    const proposal = yield* proposals.decide(organizationId, proposalId, decision, user.id)
    if (proposal === undefined) return yield* refuse("This proposal does not exist any more.")
    const mine = proposal.decidedBy === user.id && proposal.state === decision
    if (!mine) return yield* refuse("This was decided already.")
    const problem =
      decision === "confirmed"
        ? yield* Effect.provideService(carryOut(proposalId, proposal.change, user), Acting, actingAs(user.id))
        : undefined
    const said = proposedSentence(proposal.change)
    const done = problem === undefined ? `✅ ${said}\nConfirmed by ${user.name}.` : `⚠️ ${said}\nNot done: ${problem}`
    const text = decision === "confirmed" ? done : `✖️ ${said}\nDeclined by ${user.name}.`
    const now = yield* Clock.currentTimeMillis
    const { conversationId } = proposal
    const there = { teamId: place.teamId, channelId: place.channelId, lane: conversationId, conversationId }
    const post = { once: `decided:${proposalId}`, ...there, content: { type: "decided", ts: messageTs, text } } as const
    yield* posts.add(organizationId, post, "waiting", now)
    if (decision === "confirmed")
      yield* proposals.settle(organizationId, proposalId, problem === undefined ? "done" : "failed")
  })
})
