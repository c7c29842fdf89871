/** The emoji that people use most in chats, by Slack's names. Others keep their names. */
const signs =
  "+1👍 thumbsup👍 -1👎 thumbsdown👎 smile😄 smiley😃 grinning😀 grin😁 laughing😆 satisfied😆 joy😂 rofl🤣 sweat_smile😅 slightly_smiling_face🙂 wink😉 blush😊 innocent😇 heart_eyes😍 kissing_heart😘 yum😋 thinking_face🤔 face_with_raised_eyebrow🤨 neutral_face😐 expressionless😑 rolling_eyes🙄 smirk😏 relieved😌 pensive😔 sleepy😪 sleeping😴 mask😷 sunglasses😎 nerd_face🤓 confused😕 worried😟 slightly_frowning_face🙁 open_mouth😮 astonished😲 flushed😳 pleading_face🥺 cry😢 sob😭 scream😱 disappointed😞 sweat😓 tired_face😫 triumph😤 rage😡 angry😠 exploding_head🤯 hugging_face🤗 zany_face🤪 partying_face🥳 upside_down_face🙃 shrug🤷 facepalm🤦 wave👋 raised_hands🙌 clap👏 pray🙏 ok_hand👌 v✌️ point_up☝️ point_right👉 point_left👈 point_down👇 muscle💪 handshake🤝 eyes👀 brain🧠 heart❤️ broken_heart💔 two_hearts💕 sparkling_heart💖 blue_heart💙 green_heart💚 yellow_heart💛 purple_heart💜 100💯 fire🔥 star⭐ star2🌟 sparkles✨ zap⚡ boom💥 tada🎉 confetti_ball🎊 balloon🎈 gift🎁 birthday🎂 trophy🏆 medal🏅 rocket🚀 airplane✈️ car🚗 truck🚚 package📦 house🏠 office🏢 white_check_mark✅ heavy_check_mark✔️ ballot_box_with_check☑️ x❌ heavy_multiplication_x✖️ warning⚠️ no_entry⛔ no_entry_sign🚫 question❓ grey_question❔ exclamation❗ bangbang‼️ information_sourceℹ️ rotating_light🚨 bell🔔 mega📣 loudspeaker📢 bulb💡 hourglass⌛ hourglass_flowing_sand⏳ stopwatch⏱️ alarm_clock⏰ calendar📅 date📅 pushpin📌 round_pushpin📍 paperclip📎 link🔗 lock🔒 unlock🔓 key🔑 mag🔍 pencil📝 memo📝 pencil2✏️ book📖 books📚 email📧 envelope✉️ phone☎️ telephone_receiver📞 iphone📱 computer💻 camera📷 credit_card💳 moneybag💰 dollar💵 euro💶 chart_with_upwards_trend📈 chart_with_downwards_trend📉 bar_chart📊 wrench🔧 hammer🔨 gear⚙️ bug🐛 robot_face🤖 ghost👻 skull💀 poop💩 hankey💩 see_no_evil🙈 dog🐶 cat🐱 coffee☕ beer🍺 beers🍻 pizza🍕 cake🍰 cookie🍪 sunny☀️ cloud☁️ umbrella☔ snowflake❄️ rainbow🌈 earth_africa🌍 red_circle🔴 large_blue_circle🔵 large_green_circle🟢 large_yellow_circle🟡 arrow_right➡️ arrow_left⬅️ arrow_up⬆️ arrow_down⬇️ recycle♻️"

const known = new Map(
  signs.split(" ").flatMap((pair) => {
    const found = /^([a-z0-9_+-]+?)((?:[^\x20-\x7f])+)$/u.exec(pair)
    return found === null ? [] : [[found[1], found[2]] as const]
  })
)

/** The emoji with this name; undefined for one that is not known, like the workspace's own. */
export const emojiOf = (name: string): string | undefined => known.get(name)
