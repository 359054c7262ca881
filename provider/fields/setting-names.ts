/** A provider setting as a user finds it: its configuration key and its environment variable. */
export function settingName(key: string): string {
  return `${settingKey(key)} (${settingVariable(key)})`;
}

export function settingKey(key: string): string {
  return `clouddb:${key}`;
}

export function settingVariable(key: string): string {
  return `CLOUDDB_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
