/** The port between sound and mind, in one process and over a link. `test/integrations/sound` has the link over sockets. */
import { describe, expect, it } from "vitest"
import { expectContract, linkedInMemory } from "../../../../support/soundContract.ts"

describe.each([
  ["inside", () => "inside" as const],
  ["link", linkedInMemory]
])("the port between sound and mind, %s", (_, joinedBy) => {
  it("tells everything that was heard once, in order, and loses no speech, whatever is under way", async () => {
    await expect(expectContract(joinedBy)).resolves.toBeUndefined()
  })
})
