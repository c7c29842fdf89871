/** How fast is written into a channel of a team chat: Slack takes one message a second and channel; more only for a moment. */
import { Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"

/** Needs RateLimiter. The function gives how many milliseconds to wait before writing; 0: now. Without the counters nobody waits. */
export const makeChatPace = Effect.map(
  RateLimiter.RateLimiter,
  (limiter) =>
    ({ teamId, channelId }: { readonly teamId: string; readonly channelId: string }): Effect.Effect<number> =>
      limiter
        .consume({
          ...{ algorithm: "token-bucket", onExceeded: "fail", limit: 1, window: "1 second" },
          key: `chat:${teamId}:${channelId}`
        })
        .pipe(
          Effect.as(0),
          Effect.timeout("500 millis"),
          Effect.catchTags({
            TimeoutError: () => Effect.succeed(0),
            RateLimiterError: ({ reason }) =>
              Effect.succeed(reason._tag === "RateLimitExceeded" ? Duration.toMillis(reason.retryAfter) : 0)
          })
        )
)
