/** What people call a message that is more than text, by its type. */
export const messageKinds: Readonly<Record<string, string>> = {
  image: "a picture",
  sticker: "a sticker",
  document: "a document",
  audio: "a voice message",
  video: "a video",
  location: "a location",
  contact: "a contact card",
  reaction: "a reaction",
  order: "an order",
  template: "a template"
}
