import type { FastifyInstance } from "fastify";
import type { Simulation } from "../simulation";
import { type Change, plainOrganization, plainService } from "../world/world";
import type { JournalEntry } from "./journal";
import { redacted } from "./redacted";

/** How far a reader may fall behind before it is let go; it comes back and reads everything anew. */
const MOST_UNREAD_BYTES = 1024 * 1024;

/** When a reader should try again whose connection broke. */
const COME_BACK_MS = 1000;

/** What happens, as server-sent events: `request`, `changed`, `steered`. */
export function addStream(admin: FastifyInstance, { happenings }: Simulation): void {
  admin.get("/events", { config: { endless: true } }, (request, reply) => {
    reply.hijack();
    const stream = reply.raw;
    stream.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const send = (name: string, data: unknown) => {
      stream.write(`event: ${name}\ndata: ${JSON.stringify(redacted(data))}\n\n`);
      if (stream.writableLength > MOST_UNREAD_BYTES) stream.destroy();
    };
    stream.write(`retry: ${COME_BACK_MS}\n`);
    send("hello", {});

    const onRequest = (entry: JournalEntry) => send("request", entry);
    const onChanged = ({ organization, service }: Change) => {
      const plain = service && plainService(service);
      send("changed", { organization: plainOrganization(organization), service: plain });
    };
    const onSteered = () => send("steered", {});
    happenings.on("request", onRequest).on("changed", onChanged).on("steered", onSteered);
    request.raw.socket.on("close", () => {
      happenings.off("request", onRequest).off("changed", onChanged).off("steered", onSteered);
    });
  });
}
