import type { FastifyInstance, FastifyRequest } from "fastify";
import { updateOrganization } from "./organizations";
import { readPipe, readPipeSettings, updatePipe } from "./pipes";
import { badRequest, notFound } from "./problem";
import { createService, readService, scaleService, serviceOf, updateService } from "./services";
import type { Simulation } from "./simulation";
import { complaintAbout } from "./validation";
import type { Organization } from "./world";

/** Interface A: the routes, their bodies' schemas, and the envelope. */

type Ids = { organizationId: string; serviceId: string; pipeId: string };
type Request = FastifyRequest<{ Params: Ids }>;

const SERVICES = "/v1/organizations/:organizationId/services";
const SERVICE = `${SERVICES}/:serviceId`;
const PIPE = `${SERVICE}/pipes/:pipeId`;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function addManagement(api: FastifyInstance, { world }: Simulation): void {
  const organizationOf = ({ params }: Request): Organization => {
    for (const [name, id] of Object.entries(params)) if (!UUID.test(id)) throw badRequest(`${name} is no UUID`);
    const organization = world.organizations.get(params.organizationId.toLowerCase());
    if (organization === undefined) throw notFound(`organization ${params.organizationId} does not exist`);
    return organization;
  };

  const serviceIn = (request: Request) => serviceOf(organizationOf(request), request.params.serviceId);

  api.patch("/v1/organizations/:organizationId", async (request: Request) =>
    answer(request, updateOrganization(organizationOf(request), checkedBody(request, "UpdateOrganization"))),
  );
  api.get(PIPE, async (request: Request) => answer(request, readPipe(serviceIn(request), request.params.pipeId)));
  api.get(`${PIPE}/settings`, async (request: Request) =>
    answer(request, readPipeSettings(serviceIn(request), request.params.pipeId)),
  );
  api.patch(PIPE, async (request: Request) =>
    answer(request, updatePipe(serviceIn(request), request.params.pipeId, checkedBody(request, "UpdatePipe"))),
  );
  api.post(SERVICES, async (request: Request) =>
    answer(request, createService(organizationOf(request), checkedBody(request, "CreateService"))),
  );
  api.get(SERVICE, async (request: Request) =>
    answer(request, readService(organizationOf(request), request.params.serviceId)),
  );
  api.patch(SERVICE, async (request: Request) =>
    answer(
      request,
      updateService(organizationOf(request), request.params.serviceId, checkedBody(request, "UpdateService")),
    ),
  );
  api.patch(`${SERVICE}/replicaScaling`, async (request: Request) =>
    answer(
      request,
      scaleService(organizationOf(request), request.params.serviceId, checkedBody(request, "ReplicaScaling")),
    ),
  );
}

function checkedBody({ body }: Request, schema: Parameters<typeof complaintAbout>[0]): Record<string, unknown> {
  const complaint = complaintAbout(schema, body);
  if (complaint !== undefined) throw badRequest(complaint);
  return body as Record<string, unknown>;
}

function answer(request: Request, result: unknown) {
  return { status: 200, requestId: request.id, result };
}
