/** The Redis the tests share: use keys with a random part. `startRedisProcess` gives one of your own, to stop on purpose. */
import { inject } from "vitest"

export { startRedisOn, startRedisProcess } from "./redis-server.ts"

/** URL of the shared server. */
export const redisUrl = (): string => inject("redisUrl")
