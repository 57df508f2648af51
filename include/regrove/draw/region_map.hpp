// A map of a model's answers over the plane of two features: coloured regions, the borders between answers, and rows
// as points.
//
// A class has its colour, the paler the smaller its share; a number has its place on the value scale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::draw {

struct MapAxis {
    std::string name;
    double low = 0;
    double high = 1;  ///< > low
};

/// What the model says, or what is true: a class with its share, or a number.
struct MapAnswer {
    std::size_t class_index = 0;
    double share = 1;
    double value = 0;
};

struct MapRegion {
    double x_low = 0;
    double x_high = 0;
    double y_low = 0;
    double y_high = 0;
    MapAnswer answer;
    std::string details;  ///< what an SVG shows when the pointer rests on it; may be empty
};

/// A straight piece of the border between different classes, across or up.
struct MapBorder {
    double x_from = 0;
    double y_from = 0;
    double x_to = 0;
    double y_to = 0;
};

struct MapPoint {
    double x = 0;
    double y = 0;
    MapAnswer truth;
};

struct RegionMap {
    std::string title;
    std::string subtitle;  ///< one line below the title, or empty
    MapAxis across;
    MapAxis up;
    std::vector<std::string> classes;   ///< empty: numbers
    std::vector<double> class_weights;  ///< as class_colors() wants them
    std::string value_name;             ///< of numbers
    std::vector<MapRegion> regions;     ///< tile the plane
    bool outlined = false;              ///< a thin line around each region
    std::vector<MapBorder> borders;
    std::vector<MapPoint> points;  ///< those outside of the plane are left out
    std::vector<std::string> notes;
};

/// A whole SVG document; the same map gives the same bytes on every machine. Borders of regions lie at their values to
/// a hundredth of a pixel.
std::string region_map_svg(const RegionMap& map);

/// The bytes of the picture in the format that `path` names by its ending, as line_chart_picture.
std::string region_map_picture(const RegionMap& map, std::string_view path, double scale = 2);

}  // namespace regrove::draw
