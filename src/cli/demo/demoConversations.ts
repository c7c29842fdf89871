/** What the contacts of the living demo write: every kind of message, two languages, and texts that a page must bear. */
import type { Person, Written } from "../../../simulators/channel/People.ts"

const text = (body: string): Written => ({ type: "text", text: { body } })

/** What one contact writes, and what the organization makes of it. */
export interface DemoConversation {
  readonly from: Person
  readonly messages: ReadonlyArray<Written>
  /** What a colleague answers. */
  readonly answer?: string
  readonly note?: string
  readonly labels?: ReadonlyArray<string>
  readonly tags?: ReadonlyArray<string>
  readonly resolved?: true
  readonly mine?: true
}

const person = (last: string, name: string): Person => ({ waId: `1415555${last}`, name })

export const demoConversations: ReadonlyArray<DemoConversation> = [
  {
    from: person("0162", "Lena Brandt"),
    messages: [text("Thank you, the parcel arrived!")],
    answer: "Wonderful. Enjoy the book!",
    resolved: true
  },
  {
    from: person("0177", "Priya Lal"),
    messages: [
      text("Is the reading on Thursday still on?"),
      {
        type: "location",
        location: { latitude: 37.7749, longitude: -122.4194, name: "12 Harbor Street", address: "San Francisco" }
      }
    ],
    answer: "Yes, at seven. The entrance is on Harbor Street.",
    mine: true,
    tags: ["reading club"]
  },
  {
    from: person("0133", "Vikram Patel"),
    messages: [text("नमस्ते, क्या आप शनिवार को खुले हैं?"), text("और क्या आपके पास प्रेमचंद की कहानियाँ हैं?")],
    labels: ["hindi"]
  },
  {
    from: person("0190", "Elena Sørensen"),
    messages: [text("Could you put *two copies* of The Overstory aside? https://maplebooks.example/overstory")],
    answer: "Two copies are at the desk under your name until Saturday.",
    note: "Regular customer. Last time she paid by invoice.",
    mine: true,
    tags: ["invoice", "regular"],
    labels: ["order"]
  },
  {
    from: person("0125", "Omar Mahdi"),
    messages: [
      {
        type: "contacts",
        contacts: [
          { name: { formatted_name: "Layla Mahdi", first_name: "Layla" }, phones: [{ phone: "+1 415 555 0126" }] }
        ]
      },
      text("My sister would like the newsletter too.")
    ]
  },
  {
    from: person("0119", "Joon Lee"),
    messages: [{ type: "button", button: { text: "Yes, confirm", payload: "confirm" } }]
  },
  {
    from: person("0144", "محمد العلي"),
    messages: [text("مرحبا، هل لديكم كتب باللغة العربية؟ Order 427 (urgent).")]
  },
  {
    from: { waId: "14155550101", name: "Asha Rao" },
    messages: [
      text("Hi! I would like to move my pick-up to Thursday afternoon, if you have anything after four."),
      text("My son has football until four.")
    ],
    answer: "Good morning Asha, let me check Thursday for you.",
    note: "Daniel: the 4:30 slot is held until noon.",
    mine: true,
    tags: ["family plan", "vip"],
    labels: ["pick-up"]
  }
]

/** Who writes while the demo goes on, one after the other. */
export const laterLines: ReadonlyArray<string> = [
  "Do you have gift cards?",
  "Is my order ready?",
  "क्या मैं कल आ सकती हूँ?",
  "Thank you!",
  "Can I return a book without the receipt?"
]

export const quickReplies = [
  { shortcut: "hours", text: "Hello {{firstName|there}}, we are open from nine to six, Monday to Saturday." },
  { shortcut: "returns", text: "You can return a book within 30 days with the receipt." },
  { shortcut: "thanks", text: "Thank you, {{firstName|and see you soon}}!" }
]

export const templates = [
  {
    name: "order_ready",
    components: [
      {
        type: "BODY",
        text: "Hello {{1}}, your order {{2}} is ready for pick-up.",
        example: { body_text: [["Asha", "2041"]] }
      }
    ]
  },
  {
    name: "we_have_an_answer",
    components: [
      {
        type: "BODY",
        text: "Hello {{1}}, we have an answer for you. Reply to read it.",
        example: { body_text: [["Asha"]] }
      }
    ]
  }
]
