// Uses a live server through the generated client. The arguments are the server's URL and the secret of an access token.
import { Configuration, DefaultApi, ResponseError } from "./generated/index.js";

declare const process: { argv: string[]; exitCode?: number };

function check(holds: boolean, what: string): void {
  if (!holds) {
    throw new Error(what);
  }
}

const [, , basePath, accessToken] = process.argv;
const api = new DefaultApi(new Configuration({ basePath, accessToken }));
const lock = "generated:typescript";

const lease = await api.acquire({ acquire: { lock, ttl: "20s", value: "left by TypeScript" } });
check(lease.lock === lock && lease.written === "written", `the lease is ${JSON.stringify(lease)}`);
check(Number.isSafeInteger(lease.token) && lease.token > 2 ** 31, `the token is ${lease.token}`);

const refused = await api.acquire({ acquire: { lock } }).then(
  () => 0,
  (failure: unknown) => (failure instanceof ResponseError ? failure.response.status : -1),
);
check(refused === 409, `a second acquire ended with ${refused}`);

const extended = await api.extend({ id: lease.id, extend: { ttl: "1m" } });
check(extended.id === lease.id && extended.token === lease.token, `the extension answered ${JSON.stringify(extended)}`);
check(extended.remainingMillis > 20_000, `${extended.remainingMillis} ms remain after the extension`);

const released = await api.release({ id: lease.id });
check(released.outcome === "released", `the release answered ${released.outcome}`);

const next = await api.acquire({ acquire: { lock } });
check(next.token > lease.token, `token ${next.token} follows ${lease.token}`);
check(next.value === "left by TypeScript", `the value is ${next.value}`);
await api.release({ id: next.id });

console.log(`acquired, extended and released with tokens ${lease.token} and ${next.token}`);
