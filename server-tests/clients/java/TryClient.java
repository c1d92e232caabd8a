import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DefaultApi;
import org.openapitools.client.model.Acquire;
import org.openapitools.client.model.Extend;
import org.openapitools.client.model.Lease;

/** Uses a live server through the generated client. The arguments are the server's URL and the secret of an access token. */
final class TryClient {

    private static final String LOCK = "generated:java";

    public static void main(String[] arguments) throws ApiException {
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        Map<String, String> headers = Map.of("Authorization", "Bearer " + arguments[1]);
        DefaultApi api = new DefaultApi(client);

        Lease lease = api.acquire(new Acquire().lock(LOCK).ttl("20s").value("left by Java"), null, headers);
        check(lease.getLock().equals(LOCK) && "written".equals(lease.getWritten()), "the lease is " + lease);
        check(lease.getToken() > 1L << 31, "the token is " + lease.getToken());

        check(refusal(api, headers) == 409, "a second acquire was not refused with 409");

        Lease extended = api.extend(lease.getId(), new Extend().ttl("1m"), headers);
        check(extended.getId().equals(lease.getId()), "the extension answered " + extended);
        check(extended.getToken().equals(lease.getToken()), "the extension answered " + extended);
        check(extended.getRemainingMillis() > 20_000, "after the extension remain " + extended.getRemainingMillis());

        String outcome = api.release(lease.getId(), headers).getOutcome();
        check(outcome.equals("released"), "the release answered " + outcome);

        Lease next = api.acquire(new Acquire().lock(LOCK), null, headers);
        check(next.getToken() > lease.getToken(), "token " + next.getToken() + " follows " + lease.getToken());
        check("left by Java".equals(next.getValue()), "the value is " + next.getValue());
        api.release(next.getId(), headers);

        System.out.println("acquired, extended and released with tokens " + lease.getToken() + " and " + next.getToken());
    }

    private static int refusal(DefaultApi api, Map<String, String> headers) {
        try {
            api.acquire(new Acquire().lock(LOCK), null, headers);
            return 0;
        } catch (ApiException e) {
            return e.getCode();
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
