/** Where a bench keeps its database and what its service writes. */
import { temporaryFolder } from "../../test/support/folder.ts"

/** A new one for each bench, gone with its scope. */
export const folder = temporaryFolder("bench")
