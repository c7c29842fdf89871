/** One message of each type, as a client sends it; `messageId` is one that can be reacted to. */
export const everyType = (messageId: string): ReadonlyArray<{ readonly type: string } & Record<string, unknown>> => [
  { type: "text", text: "Hello\nand welcome: https://example.com 🙂", previewUrl: true },
  { type: "image", mediaUrl: "https://example.com/a.jpg", caption: "Cards" },
  { type: "document", mediaUrl: "https://example.com/a.pdf", filename: "Rechnung März.pdf", caption: "Yours" },
  { type: "audio", mediaUrl: "https://example.com/a.ogg" },
  { type: "video", mediaUrl: "https://example.com/a.mp4", caption: "Clip" },
  {
    type: "template",
    templateName: "order_update",
    language: "en_US",
    components: [
      { type: "header", parameters: [{ type: "image", image: { link: "https://example.com/a.jpg" } }] },
      { type: "body", parameters: [{ type: "text", text: "Asha" }] },
      { type: "button", sub_type: "quick_reply", index: "0", parameters: [{ type: "payload", payload: "YES" }] }
    ]
  },
  {
    type: "interactive",
    interactive: {
      type: "list",
      body: { text: "Which one?" },
      action: {
        button: "Choose",
        sections: [{ title: "Cards", rows: [{ id: "1", title: "Birthday", description: "With cake" }] }]
      }
    }
  },
  { type: "location", latitude: 12.97, longitude: 77.59, name: "Office", address: "MG Road" },
  {
    type: "contact",
    contacts: [
      { name: { formatted_name: "Asha Rao", first_name: "Asha" }, phones: [{ phone: "+919812345678", type: "WORK" }] }
    ]
  },
  { type: "reaction", messageId, emoji: "👍🏽" }
]
