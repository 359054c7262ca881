import type { FastifyInstance } from "fastify";
import type { JournalEntry } from "../simulation/journal";
import { redact } from "../simulation/redact";
import type { Simulation } from "../simulation/simulation";
import { type StateChange, serializeOrganization, serializeService } from "../state/state";

/** A client that falls further behind is disconnected; it reconnects and reads everything again. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** The clients' delay before they reconnect. */
const RECONNECT_MS = 1000;

/** Server-sent events: `request`, `changed`, `steered`, `clock`. */
export function registerEventStream(admin: FastifyInstance, { events }: Simulation): void {
  admin.get("/events", { config: { isEndless: true } }, (request, reply) => {
    reply.hijack();
    const stream = reply.raw;
    stream.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const send = (name: string, data: unknown) => {
      stream.write(`event: ${name}\ndata: ${JSON.stringify(redact(data))}\n\n`);
      if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
    };
    stream.write(`retry: ${RECONNECT_MS}\n`);
    send("hello", {});

    const onRequest = (entry: JournalEntry) => send("request", entry);
    const onChanged = ({ organization, service }: StateChange) => {
      const serialized = service && serializeService(service);
      send("changed", { organization: serializeOrganization(organization), service: serialized });
    };
    const onSteered = () => send("steered", {});
    const onClock = (now: number) => send("clock", { now: new Date(now).toISOString() });
    events.on("request", onRequest).on("changed", onChanged).on("steered", onSteered).on("clock", onClock);
    request.raw.socket.on("close", () => {
      events.off("request", onRequest).off("changed", onChanged).off("steered", onSteered).off("clock", onClock);
    });
  });
}
