package dev.holdfast.benchmarks.work;

/** Clients that each connect, acquire a lock of their own, and keep it. Parameters: clients. */
final class HoldInClients implements Work {

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        for (int i = 0; i < order.count("clients"); i++) {
            clients.keep(clients.number(i).lock("session-" + i).acquire());
        }
        return Answer.NOTHING;
    }
}
