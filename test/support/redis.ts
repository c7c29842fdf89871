/** The Redis that the tests share: use keys with a random part. `startRedisProcess` gives a separate one that a test can stop. */
import { inject } from "vitest"

export { startRedisOn, startRedisProcess } from "./redis-server.ts"

/** URL of the shared server. */
export const redisUrl = (): string => inject("redisUrl")
