#pragma once

#include "spec/model.hpp"

namespace sim::workload::testing
{

/// Values of the models' published config.json files.
inline spec::ModelSpec llama(const char* name, std::int64_t hidden, int layers, int heads)
{
    spec::ModelSpec model;
    model.name = name;
    model.hidden = hidden;
    model.layers = layers;
    model.heads = heads;
    model.kv_heads = heads;
    model.head_dim = 128;
    model.vocab = 32000;
    return model;
}

inline spec::ModelSpec llama2_7b()
{
    auto model = llama("Llama-2-7B", 4096, 32, 32);
    model.ffn = 11008;
    return model;
}

inline spec::ModelSpec llama2_13b()
{
    auto model = llama("Llama-2-13B", 5120, 40, 40);
    model.ffn = 13824;
    return model;
}

inline spec::ModelSpec llama2_70b()
{
    auto model = llama("Llama-2-70B", 8192, 80, 64);
    model.kv_heads = 8;
    model.ffn = 28672;
    return model;
}

inline spec::ModelSpec llama3_8b()
{
    auto model = llama("Llama-3-8B", 4096, 32, 32);
    model.kv_heads = 8;
    model.ffn = 14336;
    model.vocab = 128256;
    return model;
}

inline spec::ModelSpec llama3_70b()
{
    auto model = llama2_70b();
    model.name = "Llama-3-70B";
    model.vocab = 128256;
    return model;
}

}  // namespace sim::workload::testing
