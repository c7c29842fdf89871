"""EVA's assistant server for Parley.

EVA's user simulator calls this server. It relays the call to a test call of Parley, answers the tools of Parley's agent from EVA's scenario, and
writes down what was said. `docs/evaluate.md` says where this file goes and what `s2s_params` has.
"""

import asyncio
import audioop
import json
import time
from datetime import datetime
from typing import Any

import httpx
import uvicorn
import websockets
from fastapi import FastAPI, Request, WebSocket

from eva.assistant.base_server import AbstractAssistantServer
from eva.assistant.pipeline.observers import FrameworkLogWriter, MetricsLogWriter
from eva.utils.audio_utils import create_twilio_media_message, parse_twilio_media_message, sync_buffer_to_position

TURN_GAP_MS = 700  # An agent that says nothing for so long has ended its turn.
LATE_SECONDS = 0.2  # A caller of whom nothing came for so long says nothing.


class ParleyAssistantServer(AbstractAssistantServer):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        params = self.pipeline_config.s2s_params or {}
        self._api = httpx.AsyncClient(
            base_url=params["base_url"], headers={"authorization": f"Bearer {params['api_key']}"}, timeout=30
        )
        self._agent_path = f"/api/voice-agents/{params['agent_id']}"
        self._tools_url = params.get("tools_url", f"http://127.0.0.1:{self.port}")
        self._model, self._call_id = params.get("model", "parley"), None
        self._audio_sample_rate = 8000
        self._caller, self._heard_at = bytearray(), 0.0
        self._caller_stopped_ms = self._agent_spoke_ms = 0

    def _draft(self) -> dict[str, Any]:
        """EVA's agent as changes of Parley's: they hold for one call and are not saved."""
        tools = [tool["function"] for tool in self.agent.build_tools_for_agent() or []]
        for tool in tools:
            tool["handler"] = {"type": "http", "method": "POST", "url": f"{self._tools_url}/tools/{tool['name']}"}
        return {"systemPrompt": self._build_system_prompt(), "welcomeMessage": self.initial_message, "tools": tools}

    async def start(self) -> None:
        self.output_dir.mkdir(parents=True, exist_ok=True)
        self._fw_log, self._metrics_log = FrameworkLogWriter(self.output_dir), MetricsLogWriter(self.output_dir)
        self._app = FastAPI()
        self._app.add_api_route("/tools/{name}", self._run_tool, methods=["POST"])
        for path in ("/ws", "/"):
            self._app.add_api_websocket_route(path, self._relay)
        self._server = uvicorn.Server(uvicorn.Config(self._app, port=self.port, log_level="warning", lifespan="off"))
        self._running = True
        self._server_task = asyncio.create_task(self._server.serve())
        while not self._server.started:
            await asyncio.sleep(0.01)

    async def _run_tool(self, name: str, request: Request) -> Any:
        return await self.execute_tool(name, await request.json())

    async def _relay(self, simulator: WebSocket) -> None:
        await simulator.accept()
        placed = await self._api.post(f"{self._agent_path}/test-calls", json={"draft": self._draft()})
        placed.raise_for_status()
        self._call_id = placed.json()["callId"]
        async with websockets.connect(placed.json()["url"]) as parley:
            await parley.send(json.dumps({"event": "start", "streamSid": "eva"}))
            ways = (self._hear(simulator), self._speak(parley), self._answer(parley, simulator))
            tasks = [asyncio.create_task(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()

    async def _hear(self, simulator: WebSocket) -> None:
        """Takes what the simulator sends, whose speech comes in bursts."""
        async for text in simulator.iter_text():
            message = json.loads(text)
            if message["event"] == "stop":
                return
            if message["event"] == "user_speech_stop":
                self._caller_stopped_ms = int(message["timestamp_ms"])
            if audio := parse_twilio_media_message(text):
                self._caller += audio
                self._heard_at = time.monotonic()

    async def _speak(self, parley: Any) -> None:
        """Sends the caller as a telephone line does: 20 ms every 20 ms, silence between the words."""
        due = time.monotonic()
        while True:
            due += 0.02
            # A frame that is late is waited for: silence in its place would cut a word in two.
            if len(self._caller) >= 160 or time.monotonic() - self._heard_at > LATE_SECONDS:
                frame = bytes(self._caller[:160]).ljust(160, b"\xff")
                del self._caller[:160]
                message = json.loads(create_twilio_media_message("eva", frame))
                message["media"]["timestamp"] = str(len(self.user_audio_buffer) // 16)
                self.user_audio_buffer.extend(audioop.ulaw2lin(frame, 2))
                await parley.send(json.dumps(message))
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def _answer(self, parley: Any, simulator: WebSocket) -> None:
        """Hands on what the agent says. Parley paces it, so a mark is heard when it comes."""
        async for text in parley:
            message = json.loads(text)
            if message["event"] == "mark":
                await parley.send(text)
            audio = parse_twilio_media_message(text)
            if audio is None:
                continue
            at = round(time.time() * 1000)
            if at - self._agent_spoke_ms > TURN_GAP_MS:
                self._fw_log.turn_start(timestamp_ms=at)
                waited = at - self._caller_stopped_ms
                if self._caller_stopped_ms and 0 < waited < 30_000:
                    self._metrics_log.write_latency("model_response", waited / 1000, self._model)
                self._caller_stopped_ms = 0
            self._agent_spoke_ms = at
            sync_buffer_to_position(self.assistant_audio_buffer, len(self.user_audio_buffer))
            self.assistant_audio_buffer.extend(audioop.ulaw2lin(audio, 2))
            await simulator.send_text(text)

    async def _write_down(self) -> None:
        """Reads the transcript that Parley kept, whose times are milliseconds from the beginning of the call."""
        for _ in range(50):
            call = (await self._api.get(f"/api/calls/{self._call_id}")).json()
            if call["endReason"] is not None:
                break
            await asyncio.sleep(0.2)
        began = round(datetime.fromisoformat(call["startedAt"] or call["createdAt"]).timestamp() * 1000)
        for said in call["utterances"]:
            at, until = began + said["startMs"], began + said["endMs"]
            if said["role"] == "caller":
                self.audit_log.append_user_input(said["text"], timestamp_ms=str(at))
                continue
            self.audit_log.append_assistant_output(said["text"], timestamp_ms=str(at))
            self._fw_log.llm_response(said["text"], timestamp_ms=at)
            self._fw_log.turn_end(was_interrupted=said["interrupted"], timestamp_ms=until)
        self.audit_log.transcript.sort(key=lambda entry: int(entry["timestamp"]))

    async def _shutdown(self) -> None:
        if not self._running:
            return
        self._running, self._server.should_exit = False, True
        await asyncio.wait({self._server_task}, timeout=5)
        if self._call_id is not None:
            await self._write_down()
        await self._api.aclose()
