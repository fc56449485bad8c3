#include "sweep/mpi_crew.hpp"

#include <mpi.h>

#include <cstdlib>
#include <utility>

namespace sim::sweep
{
namespace
{

constexpr int kToFirst = 1;
constexpr int kAnswer = 2;
constexpr std::int64_t kNothing = -1;

/// What a rank tells the first one.
struct Message {
    enum class Kind : std::int32_t { ask, ended, stop, bye };
    Kind kind = Kind::ask;
    std::int32_t status = 0;
    std::int64_t task = kNothing;
    double best = 0;
};

class FirstRank final : public Crew
{
public:
    FirstRank(std::vector<std::size_t> tasks, int ranks)
        : tasks_{std::move(tasks)}, others_{ranks - 1}
    {
    }

    std::optional<std::size_t> next() override
    {
        return next_ < tasks_.size() ? std::optional{tasks_[next_++]} : std::nullopt;
    }
    void ended(const Reply& reply) override { news_.push_back(reply); }
    void stop() override { next_ = tasks_.size(); }
    std::chrono::milliseconds patience() const override { return std::chrono::milliseconds{1}; }

    bool over() override
    {
        listen();
        return others_ == 0;
    }

    std::vector<Reply> news() override
    {
        listen();
        return std::exchange(news_, {});
    }

private:
    void listen()
    {
        int waiting = 0;
        MPI_Status status;
        while (MPI_Iprobe(MPI_ANY_SOURCE, kToFirst, MPI_COMM_WORLD, &waiting, &status),
               waiting != 0) {
            Message message;
            MPI_Recv(&message, sizeof message, MPI_BYTE, status.MPI_SOURCE, kToFirst,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            hear(message, status.MPI_SOURCE);
        }
    }

    void hear(const Message& message, int from)
    {
        switch (message.kind) {
            case Message::Kind::ask: {
                const auto task = next();
                const auto answer = task ? static_cast<std::int64_t>(*task) : kNothing;
                MPI_Send(&answer, 1, MPI_INT64_T, from, kAnswer, MPI_COMM_WORLD);
                return;
            }
            case Message::Kind::ended:
                news_.push_back({static_cast<std::size_t>(message.task),
                                 Reply::Kind::done,
                                 static_cast<std::uint8_t>(message.status),
                                 message.best,
                                 {}});
                return;
            case Message::Kind::stop:
                stop();
                return;
            case Message::Kind::bye:
                --others_;
                return;
        }
    }

    std::vector<std::size_t> tasks_;
    std::size_t next_ = 0;
    int others_ = 0;
    std::vector<Reply> news_;
};

class OtherRank final : public Crew
{
public:
    std::optional<std::size_t> next() override
    {
        send({Message::Kind::ask, 0, kNothing, 0});
        std::int64_t answer = kNothing;
        MPI_Recv(&answer, 1, MPI_INT64_T, 0, kAnswer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return answer == kNothing ? std::nullopt : std::optional{static_cast<std::size_t>(answer)};
    }
    void ended(const Reply& reply) override
    {
        send({Message::Kind::ended, reply.status, static_cast<std::int64_t>(reply.point),
              reply.best});
    }
    void stop() override
    {
        if (!stopped_) {
            stopped_ = true;
            send({Message::Kind::stop, 0, kNothing, 0});
        }
    }
    bool over() override
    {
        if (!gone_) {
            gone_ = true;
            send({Message::Kind::bye, 0, kNothing, 0});
        }
        return true;
    }
    std::chrono::milliseconds patience() const override { return std::chrono::milliseconds{200}; }
    std::vector<Reply> news() override { return {}; }

private:
    static void send(const Message& message)
    {
        MPI_Send(&message, sizeof message, MPI_BYTE, 0, kToFirst, MPI_COMM_WORLD);
    }

    bool stopped_ = false;
    bool gone_ = false;
};

}  // namespace

bool MpiSession::wanted()
{
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
        if (std::getenv(name) != nullptr) {
            return true;
        }
    }
    return false;
}

MpiSession::MpiSession()
{
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiSession::~MpiSession() { MPI_Finalize(); }

void MpiSession::meet() const { MPI_Barrier(MPI_COMM_WORLD); }

int MpiSession::same_as_first(int value) const
{
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value;
}

std::unique_ptr<Crew> mpi_crew(const MpiSession& session, std::vector<std::size_t> tasks)
{
    if (session.rank() == 0) {
        return std::make_unique<FirstRank>(std::move(tasks), session.size());
    }
    return std::make_unique<OtherRank>();
}

}  // namespace sim::sweep
