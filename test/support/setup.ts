/** Loaded before each test file: schemas are compiled in tests as in the service (`src/cli/parley.ts`). */
import "effect/schema/SchemaJITCompiler/enable"
