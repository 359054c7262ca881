import { expectOk, newStack, type Stack, simulated } from "../engine/support/stack";
import { killAt } from "../faults/crashes/interrupted-up";
import { inLanguage, writeProgram } from "./support";

/** A crash after a creation, and then `pulumi up` alone. */

for (const language of ["yaml", "python"] as const) {
  inLanguage(language, () => {
    test("a service that a crash kept from the stack is taken, with its password", async () => {
      const api = await simulated();
      const stack: Stack = await newStack(api);
      writeProgram(stack, language, [{}]);
      await killAt(stack, "after record 2", "both");
      expect(await expectOk(stack.up())).toContain("[CDB4011]");
      const [service, ...others] = await api.services();
      expect(others).toEqual([]);
      const [stored] = (await stack.resources()).filter(({ type }) => type === "clouddb:index:Service");
      expect(stored).toMatchObject({ id: service?.id, outputs: { password: { ciphertext: expect.any(String) } } });
    });
  });
}
