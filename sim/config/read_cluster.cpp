#include "config/read_cluster.hpp"

#include "config/read_collective.hpp"
#include "config/read_events.hpp"
#include "config/read_fabric.hpp"
#include "config/read_node.hpp"
#include "config/read_placement.hpp"

namespace sim::config
{

spec::ClusterSpec read_cluster(MapReader reader, Documents& documents)
{
    spec::ClusterSpec cluster;
    cluster.name = reader.required("name", words("my-cluster"));
    cluster.nodes = reader.required("nodes", count("16"));
    cluster.node = read_node(reader);
    cluster.fabric = read_fabric(reader.section("fabric", "{ kind: leaf_spine, ... }"));
    cluster.collective =
        read_collective(reader.section("collective", "{ extends: path/to/collective.yaml }"));
    cluster.events = read_events(reader);
    cluster.outages = read_outages(reader);
    cluster.placement = read_placement(reader, documents, cluster);
    reader.finish();
    return cluster;
}

}  // namespace sim::config
