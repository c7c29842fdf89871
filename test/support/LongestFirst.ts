/**
 * The order of test files: the longest first, so that no core waits for a long file at the end. vitest remembers how long files took. On a
 * clean clone without these times, folders that are known to take long come first. Shards take their part of every project.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The slowest first; files outside these folders come last. */
const slowFolders = [
  "test/calls/",
  "test/web/browser/",
  "test/actors/",
  "test/cli/",
  "test/http/handlers/people/",
  "test/http/",
  "test/integrations/postgres/",
  "test/integrations/"
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = slowFolders.findIndex((folder) => moduleId.includes(`/${folder}`))
  return rank < 0 ? slowFolders.length : rank
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const known = (file: TestSpecification) => this.ctx.cache.getTestSpecificationResult(file) !== undefined
    if (sorted.every(known)) return sorted
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return sorted.sort((a, b) => order(a) - order(b) || rankOf(a) - rankOf(b))
  }

  override async shard(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const projects = [...new Set(files.map(({ project }) => project))]
    const parts = await Promise.all(projects.map((one) => super.shard(files.filter(({ project }) => project === one))))
    return parts.flat()
  }
}
