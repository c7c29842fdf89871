/** The modules: what an organization keeps about its business beside its contacts. */
import { Schema } from "effect"

export const Module = Schema.Literals(["companies", "products", "orders", "suppliers"])
export type Module = typeof Module.Type
