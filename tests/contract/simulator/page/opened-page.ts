import type { SimulatorOptions } from "../../../../simulator/index";
import { opened } from "../../../support/browser";
import { started } from "../support/started";

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A simulator with its live page; dialogs are accepted. */
export async function openPage(options: SimulatorOptions = {}, viewport = DESKTOP) {
  const api = await started(options);
  const { page, complaints, asked } = await opened(api.page, viewport);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByText("live", { exact: true }).waitFor();
  /** Reads a part of the admin API, or sets it. */
  const admin = async (path: string, body?: object) =>
    (await api.call(body ? "PUT" : "GET", `/__admin/${path}`, body)).body as unknown;
  return { ...api, address: api.page, page, complaints, asked, admin };
}
