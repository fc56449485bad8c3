#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

#include "core/error.hpp"

namespace sim::results
{

/// An HDF5 id that is closed by the function that fits its kind.
/// HDF5 writes to memory here, so a failure of it is a lack of memory or a bug of ours.
class Handle
{
public:
    using Close = herr_t (*)(hid_t);

    Handle(hid_t id, Close close, const std::string& what) : id_{id}, close_{close}
    {
        if (id < 0) {
            throw Error{"HDF5 cannot make " + what};
        }
    }
    Handle(Handle&& other) noexcept : id_{std::exchange(other.id_, -1)}, close_{other.close_} {}
    Handle& operator=(Handle&&) = delete;
    ~Handle()
    {
        if (id_ >= 0) {
            close_(id_);
        }
    }

    [[nodiscard]] hid_t id() const { return id_; }

private:
    hid_t id_;
    Close close_;
};

inline void check(herr_t status, const std::string& what)
{
    if (status < 0) {
        throw Error{"HDF5 cannot " + what};
    }
}

}  // namespace sim::results
