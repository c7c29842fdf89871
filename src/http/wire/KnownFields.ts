/** The fields that a schema knows, as they are written in JSON, and the first field of a value that it does not know. */
import { type Schema, SchemaAST } from "effect"

/** What may stand at one place. `undefined` stands for anything. */
export interface Shape {
  readonly fields: ReadonlyMap<string, Shape | undefined>
  /** The items of a list at this place. */
  readonly items: Shape | undefined
  /** Objects that differ by the value of one field: by the name of that field and its value. */
  readonly kinds: { readonly by: string; readonly shapes: ReadonlyMap<unknown, Shape> } | undefined
  /** Whether fields of other names are allowed. */
  readonly open: boolean
}

export interface UnknownField {
  /** Where it is, the names joined by dots. */
  readonly path: string
  /** Its own name, and those that are known beside it. */
  readonly name: string
  readonly known: ReadonlyArray<string>
}

const scalar: Shape = { fields: new Map(), items: undefined, kinds: undefined, open: true }

/** The values that a field of these literals may have; `undefined` when it may have others. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<unknown> | undefined => {
  if (SchemaAST.isLiteral(ast)) return [ast.literal]
  if (!SchemaAST.isUnion(ast)) return undefined
  const parts = ast.types.map(literalsOf)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

/** Objects that differ by the literal of a field which all of them have. */
const kindsOf = (objects: ReadonlyArray<SchemaAST.Objects>, shapeOf: (ast: SchemaAST.AST) => Shape | undefined) => {
  if (objects.length < 2) return undefined
  for (const { name } of objects[0].propertySignatures) {
    const values = objects.map((object) => {
      const field = object.propertySignatures.find((other) => other.name === name)
      return field === undefined ? undefined : literalsOf(field.type)
    })
    if (typeof name !== "string" || values.includes(undefined)) continue
    const shapes = new Map<unknown, Shape>()
    for (const [at, object] of objects.entries()) {
      const shape = shapeOf(object)
      if (shape === undefined) return undefined
      for (const value of values[at] ?? []) shapes.set(value, either(shapes.get(value), shape))
    }
    return { by: name, shapes }
  }
  return undefined
}

/** What either shape knows. */
export const either = (one: Shape | undefined, other: Shape): Shape => {
  if (one === undefined) return other
  const fields = new Map(one.fields)
  for (const [name, shape] of other.fields) {
    const before = fields.get(name)
    fields.set(
      name,
      fields.has(name) && (before === undefined || shape === undefined)
        ? undefined
        : shape === undefined
          ? undefined
          : either(before, shape)
    )
  }
  const items =
    one.items === undefined || other.items === undefined ? (one.items ?? other.items) : either(one.items, other.items)
  const shapes = new Map(one.kinds?.shapes)
  for (const [value, shape] of other.kinds?.shapes ?? []) shapes.set(value, either(shapes.get(value), shape))
  const by = one.kinds?.by ?? other.kinds?.by
  return { fields, items, kinds: by === undefined ? undefined : { by, shapes }, open: one.open && other.open }
}

const makeShape = (): ((ast: SchemaAST.AST) => Shape | undefined) => {
  // Schemas may contain themselves: what is being made is open to anything.
  const made = new Map<SchemaAST.AST, Shape | undefined>()
  const shapeOf = (ast: SchemaAST.AST): Shape | undefined => {
    if (made.has(ast)) return made.get(ast)
    made.set(ast, undefined)
    const shape = read(ast)
    made.set(ast, shape)
    return shape
  }
  const read = (ast: SchemaAST.AST): Shape | undefined => {
    if (SchemaAST.isSuspend(ast)) return shapeOf(SchemaAST.toEncoded(ast.thunk()))
    if (SchemaAST.isObjects(ast)) {
      if (ast.indexSignatures.length > 0) return undefined
      const fields = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), shapeOf(type)]))
      return { fields, items: undefined, kinds: undefined, open: false }
    }
    if (SchemaAST.isArrays(ast)) {
      const items = [...ast.elements, ...ast.rest].map(shapeOf)
      const known = items.reduce<Shape | undefined>(
        (all, item) => (item === undefined ? all : either(all, item)),
        undefined
      )
      return { ...scalar, items: items.includes(undefined) ? undefined : known }
    }
    if (SchemaAST.isUnion(ast)) {
      const objects = ast.types.filter(SchemaAST.isObjects)
      const kinds = kindsOf(objects, shapeOf)
      const shapes = ast.types.map(shapeOf)
      if (shapes.includes(undefined)) return undefined
      const all = shapes.reduce<Shape | undefined>(
        (sum, shape) => (shape === undefined ? sum : either(sum, shape)),
        undefined
      )
      return all === undefined ? undefined : { ...all, kinds: kinds ?? all.kinds, open: objects.length === 0 }
    }
    return SchemaAST.isUnknown(ast) || SchemaAST.isAny(ast) || SchemaAST.isDeclaration(ast) ? undefined : scalar
  }
  return shapeOf
}

/** The shape of what these schemas decode; what one of them knows is known. `undefined` when anything may come. */
export const shapeOf = (...schemas: ReadonlyArray<Schema.Top>): Shape | undefined => {
  const read = makeShape()
  const shapes = schemas.map(({ ast }) => read(SchemaAST.toEncoded(ast)))
  if (shapes.length === 0 || shapes.includes(undefined)) return undefined
  return shapes.reduce<Shape | undefined>((all, shape) => (shape === undefined ? all : either(all, shape)), undefined)
}

/** The first field of `value`, a parsed JSON, that the shape does not know. Deep bodies are refused before. */
export const unknownField = (value: unknown, shape: Shape | undefined, path = ""): UnknownField | undefined => {
  if (shape === undefined || typeof value !== "object" || value === null) return undefined
  const below = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`)
  if (Array.isArray(value)) {
    if (shape.items === undefined) return undefined
    for (let at = 0; at < value.length; at++) {
      const found = unknownField(value[at], shape.items, below(at))
      if (found !== undefined) return found
    }
    return undefined
  }
  const record = value as Readonly<Record<string, unknown>>
  const { fields, open } =
    (shape.kinds === undefined ? undefined : shape.kinds.shapes.get(record[shape.kinds.by])) ?? shape
  for (const name of Object.keys(record)) {
    if (!fields.has(name)) {
      if (open) continue
      return { path: below(name), name, known: [...fields.keys()] }
    }
    const found = unknownField(record[name], fields.get(name), below(name))
    if (found !== undefined) return found
  }
  return undefined
}
